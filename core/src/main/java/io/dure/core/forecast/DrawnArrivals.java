package io.dure.core.forecast;

import io.dure.core.history.Arrival;
import io.dure.core.history.RunBook;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Batch;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.rollout.Arrivals;
import io.dure.core.scheduler.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Who comes in one future: the jobs that came last, once more, with the gaps between them, from a
 * second on that is drawn; behind the last the first follows. So bursts stay bursts. All together
 * they come no more often than jobs ended in the cluster's whole past: who has just submitted a
 * thousand at once does not do so every second. One thread.
 */
final class DrawnArrivals implements Arrivals {
  /** Fewer tell nothing of how often jobs come. */
  private static final int LEAST = 8;

  private static final Batch NOTHING = Batch.nothing("/");

  /** The last first. */
  private final List<Arrival> recent;

  private final long priority;
  private int index;
  private long next;
  private int left;

  /**
   * How they stand among those who wait.
   *
   * @param priority their number, where numbers are not worked out
   * @param most how many come at most
   */
  record Stand(long priority, int most) {}

  /** Seconds from the last to the first, which follows it. */
  private final long around;

  private DrawnArrivals(RunBook book, long now, Stand stand, double where, long around) {
    recent = book.recent();
    priority = stand.priority();
    left = stand.most();
    this.around = around;
    long before = (long) (where * (double) (span(recent) + around));
    index = recent.size() - 1;
    while (index > 0 && before >= gap()) {
      before -= gap();
      index--;
    }
    next = now + 1 + Math.max(0, gap() - before);
  }

  /** Each task of an array comes as part of it and ends for itself. */
  private static long jobs(List<Arrival> recent) {
    long jobs = 0;
    for (Arrival one : recent) {
      jobs += one.array() instanceof ArrayPart.Waiting tasks ? tasks.waiting().size() : 1;
    }
    return jobs;
  }

  private static long span(List<Arrival> recent) {
    return Math.max(
        0, recent.getFirst().at().getEpochSecond() - recent.getLast().at().getEpochSecond());
  }

  /**
   * Those of a future.
   *
   * @param book which jobs came, and how many ended
   * @param stand how they stand among those who wait
   * @param where from 0 to 1: where in the last ones it begins
   */
  static Arrivals of(RunBook book, Instant now, Stand stand, double where) {
    List<Arrival> recent = book.recent();
    Instant since = book.since();
    if (recent.size() < LEAST || book.ends() < LEAST || since == null) {
      return NONE;
    }
    double past = (double) Math.max(1, Duration.between(since, now).toSeconds());
    double least = (double) jobs(recent) * past / (double) book.ends();
    long quiet = Duration.between(recent.getFirst().at(), now).toSeconds();
    long around = Math.max(1, Math.max(quiet, Math.round(least) - span(recent)));
    return new DrawnArrivals(book, now.getEpochSecond(), stand, where, around);
  }

  /** Seconds between the one that comes next and the one before it. */
  private long gap() {
    return index + 1 == recent.size()
        ? around
        : Math.max(
            0,
            recent.get(index).at().getEpochSecond() - recent.get(index + 1).at().getEpochSecond());
  }

  @Override
  public long next() {
    return left == 0 ? Times.NEVER : Math.min(next, Times.NEVER);
  }

  @Override
  public Job take(int id) {
    left--;
    Arrival like = recent.get(index);
    Instant at = Instant.ofEpochSecond(next);
    index = index == 0 ? recent.size() - 1 : index - 1;
    next += gap();
    ArrayPart array =
        like.array() instanceof ArrayPart.Waiting tasks
            ? new ArrayPart.Waiting(id, tasks.shape(), tasks.waiting(), tasks.throttle())
            : null;
    return new Job(
        id,
        array,
        like.owner(),
        like.spec(),
        NOTHING,
        at,
        at,
        priority,
        0,
        0,
        new JobState.Pending(Hold.NONE, null, List.of(), false, false),
        null);
  }
}
