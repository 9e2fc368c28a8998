package io.dure.cluster.decide.job;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Preemption;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.model.request.SignalRequest;
import io.dure.placement.admission.JobPriorityRules;
import io.dure.rules.preemption.PreemptionActions;
import io.dure.rules.preemption.PreemptionEligibility;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Jobs make room for others, as the scheduler has chosen. The plan was made from an older view: if
 * one of the victims of a job may not be taken any more, none of them is, and the next plan says
 * more.
 */
public final class PreemptRules {
  private static final int SIGTERM = 15;
  private static final int SIGCONT = 18;

  private PreemptRules() {}

  public static Reply preempt(DecisionBuilder draft, Command.PreemptJobs command) {
    List<Job> jobs = new ArrayList<>();
    for (Preemption one : command.preemptions()) {
      add(jobs, draft.state().pending().get(one.jobId()));
      one.victims().forEach(victim -> add(jobs, draft.state().active().get(victim.jobId())));
    }
    PreemptionEligibility rules =
        PreemptionEligibility.of(
            draft.state(), JobPriorityRules.byPartition(draft.state(), jobs, draft.now()));
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

  private static void preempt(DecisionBuilder draft, PreemptionEligibility rules, Preemption one) {
    for (PreemptionActions.VictimAction fate :
        PreemptionActions.of(draft.state(), rules, one, draft.now())) {
      switch (fate) {
        case PreemptionActions.VictimAction.Suspends(Job victim, JobState.Running run) ->
            SuspendRules.suspend(
                draft, victim, run, JobState.Suspended.Cause.PREEMPTION, one.jobId());
        case PreemptionActions.VictimAction.Ends(Job victim, PostRunAction afterwards) ->
            end(draft, victim, afterwards);
        case PreemptionActions.VictimAction.IsTold told -> notice(draft, rules, told);
      }
    }
  }

  private static void notice(
      DecisionBuilder draft,
      PreemptionEligibility rules,
      PreemptionActions.VictimAction.IsTold told) {
    Job victim = told.victim();
    draft.emit(new Event.JobNoticed(victim.id(), victim.run(), told.notice()));
    SignalRequest own = rules.settings().sendUserSignal() ? victim.spec().signal() : null;
    int signal = own == null ? SIGTERM : own.signal();
    boolean shellOnly = own != null && own.batchShellOnly();
    Effect.Scope scope = shellOnly ? Effect.Scope.BATCH_SHELL : Effect.Scope.ALL;
    JobSignals.send(draft, victim, told.run(), SIGCONT, scope);
    JobSignals.send(draft, victim, told.run(), signal, scope);
  }

  /** Whether the grace of a job was over, and it was ended. */
  public static boolean endIfOver(DecisionBuilder draft, Job job, JobState.Running running) {
    PostRunAction afterwards = PreemptionActions.afterGrace(running, draft.now());
    if (afterwards != null) {
      end(draft, job, afterwards);
    }
    return afterwards != null;
  }

  private static void end(DecisionBuilder draft, Job job, PostRunAction afterwards) {
    JobOutcome outcome = new JobOutcome.Preempted(ExitStatus.OK);
    RunEndRules.end(draft, job, outcome, afterwards, Effect.TerminationReason.PREEMPTED);
  }
}
