package io.dure.cluster.decide.node;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.RunReconciliation;
import io.dure.cluster.decide.job.RunEndRules;
import io.dure.cluster.decide.job.StepCreationRules;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.rules.RunEndTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The controller's own programs around a run: PrologSlurmctld and EpilogSlurmctld. */
public final class ControllerScriptRules {
  /** Exit status of a job that could not be started, as Slurm reports it. */
  private static final ExitStatus NOT_STARTED = new ExitStatus(0, 53);

  private ControllerScriptRules() {}

  public static Reply prologEnded(DecisionBuilder draft, Command.PrologEnded news) {
    Job job = draft.state().active().get(news.jobId());
    if (job == null
        || job.run() != news.run()
        || !(job.state() instanceof JobState.Running running)
        || !running.configuring()) {
      return draft.done();
    }
    if (news.failure() == null) {
      configured(draft, job, running);
    } else {
      boolean again = RunEndRules.mayRequeue(draft.state().settings(), job);
      PostRunAction afterwards = again ? PostRunAction.REQUEUE : PostRunAction.END;
      JobOutcome outcome = new JobOutcome.LaunchFailed(NOT_STARTED, news.failure());
      RunEndRules.end(draft, job, outcome, afterwards, Effect.TerminationReason.ENDED);
      RunEndRules.endLeader(draft, job, outcome, afterwards, Effect.TerminationReason.ENDED);
    }
    return draft.done();
  }

  private static void configured(DecisionBuilder draft, Job job, JobState.Running running) {
    draft.emit(
        new Event.JobConfigured(
            job.id(),
            job.run(),
            draft.now(),
            RunEndTime.of(draft.state(), job.spec(), running.allocation(), draft.now())));
    launch(draft, draft.state().job(job.isHetFollower() ? job.baseId() : job.id()));
  }

  /** A node is there: jobs that waited for it, and for no other, go on. */
  static void arrived(DecisionBuilder draft, String name) {
    NodeRecord node = draft.state().node(name);
    for (int jobId : node == null ? List.<Integer>of() : node.shares().keys()) {
      Job job = draft.state().active().get(jobId);
      if (job != null && job.state() instanceof JobState.Running running) {
        prepare(draft, job, running);
      }
    }
  }

  /** Runs the prolog of a job whose nodes are all there, or launches it where there is none. */
  private static void prepare(DecisionBuilder draft, Job job, JobState.Running running) {
    if (running.configuring()
        && !RunReconciliation.waitsForNodes(draft.state(), running.allocation())) {
      if (draft.state().settings().scripts().prologSlurmctld().isEmpty()) {
        configured(draft, job, running);
      } else {
        draft.effect(new Effect.RunProlog(job.id(), job.run()));
      }
    }
  }

  /** The script starts once no component of a heterogeneous job waits for its prolog. */
  private static void launch(DecisionBuilder draft, @Nullable Job job) {
    if (job != null
        && job.state() instanceof JobState.Running running
        && !RunReconciliation.waitsForProlog(draft.state(), job)) {
      if (job.runsScript()) {
        draft.effect(new Effect.Launch(running.allocation().batchHost(), job.id(), job.run()));
      } else {
        StepCreationRules.allocated(draft, job.id());
      }
    }
  }

  public static Reply epilogEnded(DecisionBuilder draft, Command.EpilogEnded news) {
    Job job = draft.state().active().get(news.jobId());
    if (job != null
        && job.run() == news.run()
        && job.state() instanceof JobState.Completing completing
        && completing.epilog()) {
      draft.emit(new Event.JobEpilogEnded(job.id(), job.run()));
      RunEndRules.finishIfClean(draft, job.id());
    }
    return draft.done();
  }

  /** The controller has started: what it was about to run, or had begun to, is run. */
  static void resume(DecisionBuilder draft) {
    for (Job job : draft.state().active().values()) {
      switch (job.state()) {
        case JobState.Running running when running.configuring() -> prepare(draft, job, running);
        case JobState.Completing completing when completing.epilog() ->
            draft.effect(new Effect.RunEpilog(job.id(), job.run()));
        case JobState.Running _,
            JobState.Suspended _,
            JobState.Completing _,
            JobState.Pending _,
            JobState.Ended _ -> {}
      }
    }
  }
}
