package io.dure.core.controller.decide;

import io.dure.core.admission.Priorities;
import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Event;
import io.dure.core.controller.Reply;
import io.dure.core.model.Afterwards;
import io.dure.core.model.ExitStatus;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.Outcome;
import io.dure.core.model.SignalRequest;
import io.dure.core.scheduler.Preemption;
import io.dure.core.scheduler.preempt.MakingRoom;
import io.dure.core.scheduler.preempt.Preemptability;
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

  static Reply preempt(Draft draft, Command.PreemptJobs command) {
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
    for (MakingRoom.Fate fate : MakingRoom.of(draft.state(), rules, one, draft.now())) {
      switch (fate) {
        case MakingRoom.Fate.Suspends(Job victim, JobState.Running run) ->
            SuspendRules.suspend(
                draft, victim, run, JobState.Suspended.Cause.PREEMPTION, one.jobId());
        case MakingRoom.Fate.Ends(Job victim, Afterwards afterwards) ->
            end(draft, victim, afterwards);
        case MakingRoom.Fate.IsTold told -> notice(draft, rules, told);
      }
    }
  }

  private static void notice(Draft draft, Preemptability rules, MakingRoom.Fate.IsTold told) {
    Job victim = told.victim();
    draft.emit(new Event.JobNoticed(victim.id(), victim.run(), told.notice()));
    SignalRequest own = rules.settings().sendUserSignal() ? victim.spec().signal() : null;
    int signal = own == null ? SIGTERM : own.signal();
    boolean shellOnly = own != null && own.batchShellOnly();
    Effect.Scope scope = shellOnly ? Effect.Scope.BATCH_SHELL : Effect.Scope.ALL;
    String host = told.run().allocation().batchHost();
    draft.effect(new Effect.Signal(host, victim.id(), victim.run(), SIGCONT, scope));
    draft.effect(new Effect.Signal(host, victim.id(), victim.run(), signal, scope));
  }

  /** Whether the grace of a job was over, and it was ended. */
  static boolean endIfOver(Draft draft, Job job, JobState.Running running) {
    Afterwards afterwards = MakingRoom.afterGrace(running, draft.now());
    if (afterwards != null) {
      end(draft, job, afterwards);
    }
    return afterwards != null;
  }

  private static void end(Draft draft, Job job, Afterwards afterwards) {
    Outcome outcome = new Outcome.Preempted(ExitStatus.OK);
    Endings.end(draft, job, outcome, afterwards, Effect.Why.PREEMPTED);
  }
}
