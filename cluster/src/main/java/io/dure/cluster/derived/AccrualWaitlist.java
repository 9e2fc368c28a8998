package io.dure.cluster.derived;

import io.dure.model.collection.IntMap;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs whose age does not count yet because of a limit, by all that such limits ask of
 * a job: of jobs that are alike the first one tells for all. Immutable.
 */
public final class AccrualWaitlist {
  /** Every job's age counts. */
  public static final AccrualWaitlist NONE = new AccrualWaitlist(IntMap.empty());

  private static final int BUCKETS = 1 << 16;

  private final IntMap<List<Row>> buckets;

  /** Jobs that are alike, at least one, by id. */
  private record Row(String kind, IntMap<Integer> jobs) {
    int first() {
      int[] first = new int[1];
      jobs.any(id -> {
        first[0] = id;
        return true;
      });
      return first[0];
    }
  }

  private AccrualWaitlist(IntMap<List<Row>> buckets) {
    this.buckets = buckets;
  }

  /** What limits ask of a job whose age does not count yet, null for any other job. */
  private static @Nullable String kind(@Nullable Job job) {
    if (job == null
        || !(job.state() instanceof JobState.Pending pending)
        || !(pending.accrual() instanceof JobState.Accrual.Waits)
        || pending.hold() != Hold.NONE
        || job.eligibleTime() == null) {
      return null;
    }
    List<String> partitions = job.spec().partitions();
    String partition = partitions.isEmpty() ? "" : partitions.getFirst();
    return String.join(
        "\n",
        job.owner().userName(),
        String.valueOf(job.spec().account()),
        String.valueOf(job.spec().qos()),
        partition);
  }

  /** After a job became another; null before it came and after it went. */
  AccrualWaitlist changed(@Nullable Job before, @Nullable Job after) {
    String from = kind(before);
    String to = kind(after);
    AccrualWaitlist next = this;
    if (before != null && from != null && !from.equals(to)) {
      IntMap<Integer> left = jobs(from).without(before.id());
      next = next.with(from, left);
    }
    return after == null || to == null || to.equals(from)
        ? next
        : next.with(to, next.jobs(to).with(after.id(), after.id()));
  }

  private static int key(String kind) {
    return Math.floorMod(kind.hashCode(), BUCKETS);
  }

  private IntMap<Integer> jobs(String kind) {
    List<Row> bucket = buckets.get(key(kind));
    for (Row row : bucket == null ? List.<Row>of() : bucket) {
      if (row.kind().equals(kind)) {
        return row.jobs();
      }
    }
    return IntMap.empty();
  }

  private AccrualWaitlist with(String kind, IntMap<Integer> jobs) {
    int key = key(kind);
    List<Row> bucket = buckets.get(key);
    List<Row> next = new ArrayList<>();
    for (Row row : bucket == null ? List.<Row>of() : bucket) {
      if (!row.kind().equals(kind)) {
        next.add(row);
      }
    }
    if (!jobs.isEmpty()) {
      next.add(new Row(kind, jobs));
    }
    return new AccrualWaitlist(
        next.isEmpty() ? buckets.without(key) : buckets.with(key, List.copyOf(next)));
  }

  /** The ids of the first of each kind, in no order. */
  public List<Integer> firsts() {
    List<Integer> firsts = new ArrayList<>();
    buckets.forEach((_, bucket) -> bucket.forEach(row -> firsts.add(row.first())));
    return firsts;
  }

  /** The first that is like a job which was among them, null if there is none. */
  public @Nullable Integer like(Job job) {
    String kind = kind(job);
    IntMap<Integer> jobs = kind == null ? IntMap.empty() : jobs(kind);
    return jobs.isEmpty() ? null : new Row("", jobs).first();
  }
}
