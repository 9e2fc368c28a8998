package io.dure.cluster.derived;

import io.dure.model.collection.IntMap;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that wait for their turn on cores that they share, and since when it is that of others,
 * by partition. Immutable; time is taken by what changes, and by the number of partitions.
 */
public final class TimeSliceQueue {
  /** No job waits. */
  public static final TimeSliceQueue NONE = new TimeSliceQueue(new TreeMap<>());

  private final SortedMap<String, Row> rows;

  /** Since when a turn lasts in a partition where others wait. */
  public record Turn(String partition, Instant since) {}

  private record Row(Instant since, IntMap<Job> waiting) {}

  private TimeSliceQueue(SortedMap<String, Row> rows) {
    this.rows = rows;
  }

  /** The partition in which a job waits for its turn, null if it does not. */
  private static @Nullable String partition(@Nullable Job job) {
    return job != null
            && job.state() instanceof JobState.Suspended suspended
            && suspended.cause() == JobState.Suspended.Cause.TIME_SLICE
        ? suspended.run().allocation().partition()
        : null;
  }

  /** After a job became another; null before it came and after it went. */
  TimeSliceQueue changed(@Nullable Job before, @Nullable Job after) {
    String from = partition(before);
    String to = partition(after);
    if (from == null && to == null) {
      return this;
    }
    TreeMap<String, Row> next = new TreeMap<>(rows);
    Row left = from == null ? null : next.get(from);
    if (before != null && from != null && left != null && !from.equals(to)) {
      IntMap<Job> others = left.waiting().without(before.id());
      if (others.isEmpty()) {
        next.remove(from);
      } else {
        next.put(from, new Row(left.since(), others));
      }
    }
    if (after != null && to != null && after.state() instanceof JobState.Suspended suspended) {
      Row row = next.get(to);
      IntMap<Job> waiting = row == null ? IntMap.empty() : row.waiting();
      Instant since = row == null ? suspended.since() : row.since();
      next.put(to, new Row(since, waiting.with(after.id(), after)));
    }
    return new TimeSliceQueue(next);
  }

  /** With another turn having begun, unless no job waits there. */
  TimeSliceQueue turned(Turn turn) {
    Row row = rows.get(turn.partition());
    if (row == null) {
      return this;
    }
    TreeMap<String, Row> next = new TreeMap<>(rows);
    next.put(turn.partition(), new Row(turn.since(), row.waiting()));
    return new TimeSliceQueue(next);
  }

  /** Since when each turn lasts, where a job waits for its own. */
  public List<Turn> turns() {
    List<Turn> turns = new ArrayList<>(rows.size());
    rows.forEach((partition, row) -> turns.add(new Turn(partition, row.since())));
    return List.copyOf(turns);
  }

  /** The jobs that wait in a partition, by id. */
  public List<Job> waiting(String partition) {
    Row row = rows.get(partition);
    return row == null ? List.of() : row.waiting().values();
  }
}
