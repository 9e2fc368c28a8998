package io.dure.core.scheduler.preempt;

import io.dure.core.config.PartitionConfig;
import io.dure.core.config.preempt.PreemptMode;
import io.dure.core.model.Afterwards;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.scheduler.Preemption;
import io.dure.core.scheduler.Readiness;
import io.dure.core.scheduler.SchedulerView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of those who make room, as the scheduler has chosen them. The plan was made from an
 * older view: if one of the victims of a job may not be taken any more, none of them is.
 */
public final class MakingRoom {
  private MakingRoom() {}

  /** What becomes of one victim. */
  public sealed interface Fate {
    /** The victim, as it is until then. */
    Job victim();

    /** Its processes stand still until its cores are free again. */
    record Suspends(Job victim, JobState.Running run) implements Fate {}

    /** Its run is over. */
    record Ends(Job victim, Afterwards afterwards) implements Fate {}

    /** It is told to end within its grace. */
    record IsTold(Job victim, JobState.Running run, JobState.Notice notice) implements Fate {}
  }

  /** What becomes of each victim, in order; nothing if they need not or may not make room. */
  public static List<Fate> of(
      SchedulerView view, Preemptability rules, Preemption one, Instant now) {
    Job job = view.pending().get(one.jobId());
    PartitionConfig partition = view.partition(one.partition());
    if (job == null || partition == null || Readiness.of(job, now) != null) {
      return List.of();
    }
    List<Fate> fates = new ArrayList<>();
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

  private static Fate fate(
      SchedulerView view, Preemptability rules, Job victim, PreemptMode mode, Instant now) {
    boolean again =
        mode == PreemptMode.REQUEUE
            && victim.spec().requeue().allows(view.settings().jobs().requeue());
    Afterwards afterwards = again ? Afterwards.REQUEUE : Afterwards.END;
    Duration grace = rules.grace(victim);
    JobState.Running run = victim.state().underWay();
    if (run != null && mode == PreemptMode.SUSPEND) {
      return new Fate.Suspends(victim, run);
    }
    if (!(victim.state() instanceof JobState.Running running)) {
      return new Fate.Ends(victim, afterwards);
    }
    return grace.isZero() || running.configuring()
        ? new Fate.Ends(victim, afterwards)
        : new Fate.IsTold(victim, running, new JobState.Notice(now, now.plus(grace), afterwards));
  }

  /** What becomes of a job whose grace is over; null while it is not, or has none. */
  public static @Nullable Afterwards afterGrace(JobState.Running running, Instant now) {
    JobState.Notice notice = running.notice();
    return notice == null || now.isBefore(notice.killAt()) ? null : notice.afterwards();
  }
}
