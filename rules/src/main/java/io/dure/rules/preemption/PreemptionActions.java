package io.dure.rules.preemption;

import io.dure.model.command.Preemption;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.preempt.PreemptMode;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.rules.JobReadiness;
import io.dure.rules.SchedulerView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of preempted jobs, as the scheduler has chosen them. The plan was made from an older
 * view: if one of the victims of a job may not be taken any more, none of them is.
 */
public final class PreemptionActions {
  private PreemptionActions() {}

  /** What becomes of one victim. */
  public sealed interface VictimAction {
    /** The victim, as it is until then. */
    Job victim();

    /** Its processes stand still until its cores are free again. */
    record Suspends(Job victim, JobState.Running run) implements VictimAction {}

    /** Its run is over. */
    record Ends(Job victim, PostRunAction afterwards) implements VictimAction {}

    /** It is told to end within its grace. */
    record IsTold(Job victim, JobState.Running run, JobState.PreemptionNotice notice)
        implements VictimAction {}
  }

  /** What becomes of each victim, in order; nothing if they need not or may not make room. */
  public static List<VictimAction> of(
      SchedulerView view, PreemptionEligibility rules, Preemption one, Instant now) {
    Job job = view.pending().get(one.jobId());
    PartitionConfig partition = view.partition(one.partition());
    if (job == null || partition == null || JobReadiness.blockingVerdict(job, now) != null) {
      return List.of();
    }
    List<VictimAction> fates = new ArrayList<>();
    for (Preemption.Victim victim : one.victims()) {
      Job its = view.active().get(victim.jobId());
      boolean stands =
          its != null
              && its.run() == victim.run()
              && rules.mode(job, partition, its, now) == victim.mode();
      if (its == null || !stands) {
        return List.of();
      }
      fates.add(fate(view, rules, its, victim.mode(), now));
    }
    return List.copyOf(fates);
  }

  private static VictimAction fate(
      SchedulerView view, PreemptionEligibility rules, Job victim, PreemptMode mode, Instant now) {
    boolean again =
        mode == PreemptMode.REQUEUE
            && victim.spec().requeue().allows(view.settings().jobs().requeue());
    PostRunAction afterwards = again ? PostRunAction.REQUEUE : PostRunAction.END;
    Duration grace = rules.grace(victim);
    JobState.Running run = victim.state().runningOrSuspended();
    if (run != null && mode == PreemptMode.SUSPEND) {
      return new VictimAction.Suspends(victim, run);
    }
    if (!(victim.state() instanceof JobState.Running running)) {
      return new VictimAction.Ends(victim, afterwards);
    }
    return grace.isZero() || running.configuring()
        ? new VictimAction.Ends(victim, afterwards)
        : new VictimAction.IsTold(
            victim, running, new JobState.PreemptionNotice(now, now.plus(grace), afterwards));
  }

  /** What becomes of a job whose grace is over; null while it is not, or has none. */
  public static @Nullable PostRunAction afterGrace(JobState.Running running, Instant now) {
    JobState.PreemptionNotice notice = running.notice();
    return notice == null || now.isBefore(notice.killAt()) ? null : notice.afterwards();
  }
}
