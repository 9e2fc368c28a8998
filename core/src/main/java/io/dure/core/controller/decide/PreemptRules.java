package io.dure.core.controller.decide;

import io.dure.core.config.PartitionConfig;
import io.dure.core.config.preempt.PreemptMode;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Event;
import io.dure.core.model.Afterwards;
import io.dure.core.model.ExitStatus;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.Outcome;
import io.dure.core.model.SignalRequest;
import io.dure.core.scheduler.Preemption;
import io.dure.core.scheduler.Readiness;
import io.dure.core.scheduler.preempt.Preemptability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs make room for others, as the scheduler has chosen. The plan was made from an older view: if
 * one of the victims of a job may not be taken any more, none of them is, and the next plan says
 * more.
 */
final class PreemptRules {
  private static final int SIGTERM = 15;
  private static final int SIGCONT = 18;

  private PreemptRules() {}

  static Decision preempt(Draft draft, Command.PreemptJobs command) {
    List<Job> jobs = new ArrayList<>();
    for (Preemption one : command.preemptions()) {
      add(jobs, draft.state().pending().get(one.jobId()));
      one.victims().forEach(victim -> add(jobs, draft.state().active().get(victim.jobId())));
    }
    Preemptability rules =
        Preemptability.of(draft.state(), Priorities.byPartition(draft.state(), jobs, draft.now()));
    if (rules != null) {
      command.preemptions().forEach(one -> preempt(draft, rules, one));
    }
    return draft.done();
  }

  private static void add(List<Job> jobs, @Nullable Job job) {
    if (job != null) {
      jobs.add(job);
    }
  }

  private static void preempt(Draft draft, Preemptability rules, Preemption one) {
    Job job = draft.state().pending().get(one.jobId());
    PartitionConfig partition = draft.state().partition(one.partition());
    if (job == null
        || partition == null
        || Readiness.of(job, draft.now()) != null
        || !one.victims().stream().allMatch(v -> stands(draft, rules, v, job, partition))) {
      return;
    }
    for (Preemption.Victim victim : one.victims()) {
      makeRoom(
          draft, rules, draft.state().active().require(victim.jobId()), victim.mode(), one.jobId());
    }
  }

  private static boolean stands(
      Draft draft,
      Preemptability rules,
      Preemption.Victim victim,
      Job job,
      PartitionConfig partition) {
    Job its = draft.state().active().get(victim.jobId());
    return its != null
        && its.run() == victim.run()
        && rules.mode(job, partition, its, draft.now()) == victim.mode();
  }

  private static void makeRoom(
      Draft draft, Preemptability rules, Job victim, PreemptMode mode, int forJob) {
    Duration grace = rules.grace(victim);
    JobState.Running run = victim.state().underWay();
    if (run != null && mode == PreemptMode.SUSPEND) {
      SuspendRules.suspend(draft, victim, run, JobState.Suspended.Cause.PREEMPTION, forJob);
    } else if (!(victim.state() instanceof JobState.Running running)) {
      end(draft, victim, afterwards(draft, victim, mode));
    } else if (grace.isZero() || running.configuring()) {
      end(draft, victim, afterwards(draft, victim, mode));
    } else {
      notice(draft, victim, running, rules, mode);
    }
  }

  private static Afterwards afterwards(Draft draft, Job victim, PreemptMode mode) {
    boolean again =
        mode == PreemptMode.REQUEUE && Endings.mayRequeue(draft.state().settings(), victim);
    return again ? Afterwards.REQUEUE : Afterwards.END;
  }

  private static void notice(
      Draft draft, Job victim, JobState.Running running, Preemptability rules, PreemptMode mode) {
    Duration grace = rules.grace(victim);
    draft.emit(
        new Event.JobNoticed(
            victim.id(),
            victim.run(),
            new JobState.Notice(
                draft.now(), draft.now().plus(grace), afterwards(draft, victim, mode))));
    SignalRequest own = rules.settings().sendUserSignal() ? victim.spec().signal() : null;
    int signal = own == null ? SIGTERM : own.signal();
    boolean shellOnly = own != null && own.batchShellOnly();
    Effect.Scope scope = shellOnly ? Effect.Scope.BATCH_SHELL : Effect.Scope.ALL;
    String host = running.allocation().batchHost();
    draft.effect(new Effect.Signal(host, victim.id(), victim.run(), SIGCONT, scope));
    draft.effect(new Effect.Signal(host, victim.id(), victim.run(), signal, scope));
  }

  /** Whether the grace of a job was over, and it was ended. */
  static boolean endIfOver(Draft draft, Job job, JobState.Running running) {
    JobState.Notice notice = running.notice();
    if (notice == null || draft.now().isBefore(notice.killAt())) {
      return false;
    }
    end(draft, job, notice.afterwards());
    return true;
  }

  private static void end(Draft draft, Job job, Afterwards afterwards) {
    Outcome outcome = new Outcome.Preempted(ExitStatus.OK);
    Endings.end(draft, job, outcome, afterwards, Effect.Why.PREEMPTED);
  }
}
