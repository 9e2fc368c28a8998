package io.dure.rules;

import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Allocation;
import io.dure.model.request.JobSpec;
import io.dure.model.request.TimeLimit;
import io.dure.model.reservation.Reservation;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When a run ends at the latest. */
public final class RunEndTime {
  private RunEndTime() {}

  /** When a run of the job that began then ends at the latest; null for never. */
  public static @Nullable Instant of(
      SchedulerView view, JobSpec spec, Allocation allocation, Instant start) {
    Reservation own = view.reservation(allocation.reservation());
    Instant limit = outsideReservation(view, spec, allocation.partition(), start);
    return own == null
        ? limit
        : earlier(limit, of(own, view.settings().scheduling().reservationOverRun(), start));
  }

  /** The same if it is in no reservation. */
  public static @Nullable Instant outsideReservation(
      SchedulerView view, JobSpec spec, String partitionName, Instant start) {
    PartitionConfig partition = view.partition(partitionName);
    Duration limit = null;
    if (partition != null) {
      limit = PartitionRules.runTime(partition, spec);
      limit = limit == null ? partition.limits().maxTime() : limit;
    } else if (spec.timeLimit() instanceof TimeLimit.Limited(Duration asked)) {
      limit = asked;
    }
    return earlier(limit == null ? null : start.plus(limit), spec.deadline());
  }

  /**
   * How long jobs of a partition may exceed their limits (OverTimeLimit); null for as long as they
   * like.
   */
  public static @Nullable Duration grace(SchedulerView view, String partitionName) {
    PartitionConfig partition = view.partition(partitionName);
    Duration own = partition == null ? null : partition.overTimeLimit();
    return own == null ? view.settings().jobs().overTimeLimit() : own;
  }

  /** When the runs in a reservation have to be over, null for whenever. */
  public static @Nullable Instant of(Reservation own, Duration overRun, Instant now) {
    return own.binds() ? own.end(now).plus(overRun) : null;
  }

  /** The earlier of two times, of which null is never. */
  public static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
    return a == null || (b != null && b.isBefore(a)) ? b : a;
  }
}
