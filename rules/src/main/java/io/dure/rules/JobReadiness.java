package io.dure.rules;

import io.dure.model.command.PendingReason;
import io.dure.model.command.PendingVerdict;
import io.dure.model.config.ClusterSettings;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.JobSpec;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a pending job may be considered at all. Jobs that may not do not block others. */
public final class JobReadiness {
  private JobReadiness() {}

  /** Why the job is not considered, null if it is. */
  public static @Nullable PendingVerdict blockingVerdict(Job job, Instant now) {
    if (!(job.state() instanceof JobState.Pending pending)) {
      return null;
    }
    if (pending.hold() != Hold.NONE) {
      return PendingVerdict.of(pending.hold().reason());
    }
    if (pending.dependencyFailed()) {
      return PendingVerdict.of(PendingReason.DEPENDENCY_NEVER);
    }
    if (!pending.waitingFor().isEmpty()) {
      return PendingVerdict.of(PendingReason.DEPENDENCY);
    }
    Instant from = notBefore(job);
    if (from.isAfter(now)) {
      return new PendingVerdict(PendingReason.BEGIN_TIME, from, List.of());
    }
    return isLate(job.spec(), now) ? PendingVerdict.of(PendingReason.DEADLINE) : null;
  }

  /** When a pending job may start at the earliest, as far as begin time and requeue go. */
  public static Instant notBefore(Job job) {
    Instant requeue = job.state() instanceof JobState.Pending pending ? pending.notBefore() : null;
    Instant from = later(requeue, job.spec().beginTime());
    return from == null ? Instant.MIN : from;
  }

  /** Whether a job that starts then would miss its deadline. */
  public static boolean isLate(JobSpec spec, Instant start) {
    Instant latest = latestStart(spec);
    return latest != null && start.isAfter(latest);
  }

  /** After that time a job starts no more, as it would miss its deadline; null for never. */
  public static @Nullable Instant latestStart(JobSpec spec) {
    Instant deadline = spec.deadline();
    return deadline == null ? null : deadline.minus(leastTime(spec));
  }

  /** Until when the job waits for no more switches than it asked for; null for not at all. */
  public static @Nullable Instant switchesUntil(Job job, ClusterSettings settings) {
    ResourceRequest.NodePreferences reach = job.spec().resources().reach();
    if (reach.switches() == null || !(job.state() instanceof JobState.Pending pending)) {
      return null;
    }
    Duration most = settings.scheduling().maxSwitchWait();
    Duration asked = reach.switchWait();
    Instant from = later(job.submitTime(), later(pending.notBefore(), job.spec().beginTime()));
    Duration wait = asked == null || asked.compareTo(most) > 0 ? most : asked;
    return from == null ? null : from.plus(wait);
  }

  private static @Nullable Instant later(@Nullable Instant a, @Nullable Instant b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.isAfter(b) ? a : b;
  }

  /** How long a job runs at least, as far as its request tells. */
  public static Duration leastTime(JobSpec spec) {
    if (spec.timeMin() != null) {
      return spec.timeMin();
    }
    return spec.timeLimit() instanceof TimeLimit.Limited(Duration duration)
        ? duration
        : Duration.ofMinutes(1);
  }
}
