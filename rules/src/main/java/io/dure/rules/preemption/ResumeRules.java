package io.dure.rules.preemption;

import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.request.JobSpec;
import io.dure.model.reservation.Reservation;
import io.dure.rules.JobReadiness;
import io.dure.rules.RunEndTime;
import io.dure.rules.SchedulerNode;
import io.dure.rules.SchedulerView;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** When suspended jobs go on, and when they end then. */
public final class ResumeRules {
  /** How long one that makes room waits for a job that could start. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Cores that are free for so long were free before. */
  private static final Duration AT_ONCE = Duration.ofMinutes(1);

  private ResumeRules() {}

  /**
   * Whether a job that the scheduler suspended goes on by itself: no other job has its cores, and
   * none is about to get them, or one was and did not start.
   */
  public static boolean isDue(SchedulerView view, JobState.Suspended suspended, Instant now) {
    return isOver(view, suspended, now)
        || suspended.cause() == JobState.Suspended.Cause.PREEMPTION
            && !now.isBefore(patientUntil(suspended))
            && isFree(view, suspended);
  }

  /** Until when one that makes room waits for a job that could start and does not. */
  public static Instant patientUntil(JobState.Suspended suspended) {
    return suspended.since().plus(PATIENCE);
  }

  /** Whether no other job has the cores of a preempted job, or is about to get them. */
  public static boolean isOver(SchedulerView view, JobState.Suspended suspended, Instant now) {
    return suspended.cause() == JobState.Suspended.Cause.PREEMPTION
        && !isAwaited(view, suspended.forJob(), now)
        && isFree(view, suspended);
  }

  /**
   * The job that preempted one that goes on now, if it did not start: the cores have been free for
   * as long as it is patient. Null if that was not so.
   */
  public static @Nullable Integer absentPreemptor(
      SchedulerView view, JobState.Suspended suspended, Instant now) {
    Instant patient = patientUntil(suspended);
    boolean vain = !now.isBefore(patient) && now.isBefore(patient.plus(AT_ONCE));
    return vain && isAwaited(view, suspended.forJob(), now) ? suspended.forJob() : null;
  }

  /** Whether the job for which another made room is still about to start. */
  private static boolean isAwaited(SchedulerView view, @Nullable Integer forJob, Instant now) {
    Job other = forJob == null ? null : view.pending().get(forJob);
    return other != null && JobReadiness.blockingVerdict(other, now) == null;
  }

  private static boolean isFree(SchedulerView view, JobState.Suspended suspended) {
    Allocation allocation = suspended.run().allocation();
    return allocation.shares().stream()
        .allMatch(share ->
            allocation.jobsPerCore() == null
                ? isFree(view, share)
                : hasPlace(view, allocation, allocation.jobsPerCore(), share));
  }

  /**
   * Whether each core has fewer jobs of its partition than it may have, and no others but those.
   */
  private static boolean hasPlace(
      SchedulerView view, Allocation allocation, int most, NodeShare share) {
    SchedulerNode node = view.nodeNamed(share.node());
    if (node == null) {
      return false;
    }
    Map<Integer, Integer> beside = new TreeMap<>();
    node.shares()
        .forEach((id, its) -> {
          Allocation other = held(view.active().get(id));
          boolean shares = other != null && other.jobsPerCore() != null;
          boolean own = other != null && other.partition().equals(allocation.partition());
          for (int core : its.cores()) {
            beside.merge(core, !shares ? most : own ? 1 : 0, Integer::sum);
          }
        });
    return share.cores().stream().allMatch(core -> beside.getOrDefault(core, 0) < most);
  }

  private static @Nullable Allocation held(@Nullable Job job) {
    JobState.Running run = job == null ? null : job.state().runningOrSuspended();
    if (run != null) {
      return run.allocation();
    }
    return job != null && job.state() instanceof JobState.Completing over
        ? over.allocation()
        : null;
  }

  private static boolean isFree(SchedulerView view, NodeShare share) {
    SchedulerNode node = view.nodeNamed(share.node());
    if (node == null) {
      return false;
    }
    int used = 0;
    boolean split = isSplit(view, node.config().shape());
    for (NodeShare other : node.shares().values()) {
      used += split ? other.cpus() : 0;
      if (!split && !Collections.disjoint(other.cores(), share.cores())) {
        return false;
      }
    }
    return used + share.cpus() <= node.config().effectiveCpus();
  }

  /** Whether CPUs are given of the node's only core. */
  private static boolean isSplit(SchedulerView view, NodeConfig.Shape shape) {
    return view.settings().scheduling().unit() == ClusterSettings.Unit.CPU
        && Math.min(shape.sockets() * shape.coresPerSocket(), shape.cpus()) <= 1;
  }

  /** When the limit ends a job that goes on now: its pause is put on top. Null for never. */
  public static @Nullable Instant end(
      SchedulerView view, JobSpec spec, JobState.Suspended suspended, Instant now) {
    Instant end = suspended.run().end();
    if (end == null) {
      return null;
    }
    Duration pause = Duration.between(suspended.since(), now);
    Instant later = end.plus(pause.isNegative() ? Duration.ZERO : pause);
    return RunEndTime.earlier(later, bound(view, spec, suspended.run(), now));
  }

  /** What ends a run whatever it has run: the end of its reservation, its deadline. */
  private static @Nullable Instant bound(
      SchedulerView view, JobSpec spec, JobState.Running running, Instant now) {
    Reservation own = view.reservation(running.allocation().reservation());
    Duration overRun = view.settings().scheduling().reservationOverRun();
    Instant end = own == null ? null : RunEndTime.of(own, overRun, now);
    return RunEndTime.earlier(spec.deadline(), end);
  }
}
