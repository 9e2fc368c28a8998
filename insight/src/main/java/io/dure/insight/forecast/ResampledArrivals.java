package io.dure.insight.forecast;

import io.dure.model.history.RecordedArrival;
import io.dure.model.history.RunHistory;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.Workload;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import io.dure.virtual.ArrivalSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * The arrivals of one future: the jobs that came last, once more, with the gaps between them, from
 * a second on that is drawn; behind the last the first follows. So bursts stay bursts. All together
 * they come no more often than jobs ended in the cluster's whole past: who has just submitted a
 * thousand at once does not do so every second. One thread.
 */
final class ResampledArrivals implements ArrivalSource {
  /** Fewer tell nothing of how often jobs come. */
  private static final int LEAST = 8;

  private static final Workload.BatchSpec NOTHING = Workload.BatchSpec.nothing("/");

  /** The last first. */
  private final List<RecordedArrival> recent;

  private final long priority;
  private int index;
  private long next;
  private int left;

  /**
   * How they rank among pending jobs.
   *
   * @param priority their number, where numbers are not worked out
   * @param most how many come at most
   */
  record Stand(long priority, int most) {}

  /** Seconds from the last to the first, which follows it. */
  private final long around;

  private ResampledArrivals(RunHistory book, long now, Stand stand, double where, long around) {
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
  private static long jobs(List<RecordedArrival> recent) {
    long jobs = 0;
    for (RecordedArrival one : recent) {
      jobs += one.array() instanceof ArrayPart.Waiting tasks ? tasks.waiting().size() : 1;
    }
    return jobs;
  }

  private static long span(List<RecordedArrival> recent) {
    return Math.max(
        0, recent.getFirst().at().getEpochSecond() - recent.getLast().at().getEpochSecond());
  }

  /**
   * Those of a future.
   *
   * @param book which jobs came, and how many ended
   * @param stand how they rank among pending jobs
   * @param where from 0 to 1: where in the last ones it begins
   */
  static ArrivalSource of(RunHistory book, Instant now, Stand stand, double where) {
    List<RecordedArrival> recent = book.recent();
    Instant since = book.since();
    if (recent.size() < LEAST || book.ends() < LEAST || since == null) {
      return NONE;
    }
    double past = (double) Math.max(1, Duration.between(since, now).toSeconds());
    double least = (double) jobs(recent) * past / (double) book.ends();
    long quiet = Duration.between(recent.getFirst().at(), now).toSeconds();
    long around = Math.max(1, Math.max(quiet, Math.round(least) - span(recent)));
    return new ResampledArrivals(book, now.getEpochSecond(), stand, where, around);
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
    return left == 0 ? PlannerTime.NEVER : Math.min(next, PlannerTime.NEVER);
  }

  @Override
  public List<Job> take(SchedulerView view, IntSupplier ids) {
    int id = ids.getAsInt();
    left--;
    RecordedArrival like = recent.get(index);
    Instant at = Instant.ofEpochSecond(next);
    index = index == 0 ? recent.size() - 1 : index - 1;
    next += gap();
    ArrayPart array =
        like.array() instanceof ArrayPart.Waiting tasks
            ? new ArrayPart.Waiting(id, tasks.shape(), tasks.waiting(), tasks.throttle())
            : null;
    return List.of(
        new Job(
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
            null));
  }
}
