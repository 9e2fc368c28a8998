package io.dure.core.controller.decide;

import io.dure.core.config.Settings;
import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Event;
import io.dure.core.controller.Reply;
import io.dure.core.controller.StepEnd;
import io.dure.core.model.Afterwards;
import io.dure.core.model.ExitStatus;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.Outcome;
import io.dure.core.model.Requeue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What node daemons tell of the runs they were given. Late news of earlier runs change nothing. */
final class StepRules {
  /** Exit status of a job whose step could not be started, as Slurm reports it. */
  private static final ExitStatus NOT_STARTED = new ExitStatus(0, 53);

  private static final String PROLOG_ERROR = "Prolog error";

  private StepRules() {}

  static Reply launched(Draft draft, String node, int jobId, int run) {
    Job job = current(draft, jobId, run);
    JobState.Running running = job == null ? null : job.state().underWay();
    if (running == null || !running.allocation().batchHost().equals(node)) {
      Effect.Why why =
          job != null && job.state() instanceof JobState.Completing completing
              ? Endings.why(completing)
              : Effect.Why.ENDED;
      draft.effect(new Effect.Terminate(node, jobId, run, why));
    } else if (!running.launched()) {
      draft.emit(new Event.JobLaunched(jobId, run));
    }
    return draft.done();
  }

  static Reply ended(Draft draft, String node, Command.StepEnded news) {
    Job job = current(draft, news.jobId(), news.run());
    if (job != null) {
      switch (job.state()) {
        case JobState.Running running -> running(draft, node, news, job, running);
        case JobState.Suspended suspended ->
            running(draft, node, news, job, suspended.run().endingAt(null));
        case JobState.Completing completing -> completing(draft, node, news, job, completing);
        case JobState.Pending _, JobState.Ended _ ->
            throw new IllegalStateException("not current: " + job);
      }
    }
    if (news.clean()) {
      release(draft, node, news.jobId(), news.run());
      draft.effect(new Effect.Forget(node, news.jobId(), news.run()));
    } else if (job == null) {
      // Its end is of no interest any more, but it must not be forgotten before it is clean.
      draft.effect(new Effect.Terminate(node, news.jobId(), news.run(), Effect.Why.ENDED));
    }
    return draft.done();
  }

  /** Only where the controller itself declared the run over does the script's status say more. */
  private static void completing(
      Draft draft, String node, Command.StepEnded news, Job job, JobState.Completing completing) {
    if (news.end() instanceof StepEnd.PrologFailed) {
      NodeConditions.drain(draft, node, PROLOG_ERROR);
    }
    boolean open =
        switch (completing.outcome()) {
          case Outcome.Cancelled _,
              Outcome.TimedOut _,
              Outcome.DeadlineMissed _,
              Outcome.Preempted _ ->
              true;
          case Outcome.Completed _,
              Outcome.Failed _,
              Outcome.LaunchFailed _,
              Outcome.NodeFailed _,
              Outcome.OutOfMemory _ ->
              false;
        };
    if (open
        && news.end() instanceof StepEnd.Ran(ExitStatus exit, _)
        && !exit.equals(completing.outcome().exit())
        && node.equals(completing.allocation().batchHost())) {
      draft.emit(new Event.JobExitKnown(job.id(), job.run(), exit));
    }
  }

  static Reply cleaned(Draft draft, String node, Command.NodeCleaned news) {
    Job job = current(draft, news.jobId(), news.run());
    release(draft, node, news.jobId(), news.run());
    // Of a run that is not over the node must say first how it ended.
    if (job == null || job.state().underWay() == null) {
      draft.effect(new Effect.Forget(node, news.jobId(), news.run()));
    }
    if (news.epilogError() != null) {
      NodeConditions.drain(draft, node, "Epilog error");
    }
    return draft.done();
  }

  /** The job if that run is the one it is in now, else null. */
  private static @Nullable Job current(Draft draft, int jobId, int run) {
    Job job = draft.state().active().get(jobId);
    return job != null && job.run() == run ? job : null;
  }

  private static void release(Draft draft, String node, int jobId, int run) {
    Job job = current(draft, jobId, run);
    if (job != null
        && job.state() instanceof JobState.Completing completing
        && completing.nodesLeft().contains(node)) {
      Endings.release(draft, job, node);
    }
  }

  private static void running(
      Draft draft, String node, Command.StepEnded news, Job job, JobState.Running running) {
    if (!node.equals(running.allocation().batchHost())) {
      return;
    }
    Settings.Jobs settings = draft.state().settings().jobs();
    Outcome outcome = outcome(draft, job, running, news.end());
    boolean again = Endings.mayRequeue(draft.state().settings(), job);
    Afterwards afterwards =
        switch (news.end()) {
          case StepEnd.Ran _ when running.notice() != null -> running.notice().afterwards();
          case StepEnd.Ran(ExitStatus exit, _) ->
              job.spec().requeue() == Requeue.NO ? Afterwards.END : afterExit(settings, exit);
          case StepEnd.NotStarted _ -> Afterwards.END;
          case StepEnd.PrologFailed _ -> again ? Afterwards.REQUEUE_HOLD : Afterwards.END;
          case StepEnd.Lost _ -> again ? Afterwards.REQUEUE : Afterwards.END;
        };
    if (news.end() instanceof StepEnd.PrologFailed) {
      NodeConditions.drain(draft, node, PROLOG_ERROR);
    }
    Endings.over(draft, job, outcome, running.allocation().nodes(), afterwards);
    List<String> others = new ArrayList<>(running.allocation().nodes());
    others.remove(node);
    for (String other : others) {
      draft.effect(new Effect.Terminate(other, job.id(), job.run(), Effect.Why.ENDED));
    }
  }

  private static Afterwards afterExit(Settings.Jobs settings, ExitStatus exit) {
    if (settings.requeueExitHold().contains(exit.code()) && exit.code() != 0) {
      return Afterwards.SPECIAL_EXIT;
    }
    return settings.requeueExit().contains(exit.code()) && exit.code() != 0
        ? Afterwards.REQUEUE
        : Afterwards.END;
  }

  /** Slurm's order of precedence for the end of a run. */
  private static Outcome outcome(Draft draft, Job job, JobState.Running running, StepEnd end) {
    return switch (end) {
      case StepEnd.Lost _ ->
          new Outcome.NodeFailed(Endings.NODE_FAILED, running.allocation().batchHost());
      case StepEnd.NotStarted(String text) -> new Outcome.LaunchFailed(NOT_STARTED, text);
      case StepEnd.PrologFailed(String text) -> new Outcome.LaunchFailed(NOT_STARTED, text);
      case StepEnd.Ran(ExitStatus exit, _) when running.notice() != null ->
          new Outcome.Preempted(exit);
      case StepEnd.Ran(ExitStatus exit, boolean outOfMemory) when outOfMemory ->
          new Outcome.OutOfMemory(
              new ExitStatus(exit.code(), exit.code() == 0 ? 125 : exit.signal()));
      case StepEnd.Ran(ExitStatus exit, _) when exit.code() != 0 || exit.signal() != 0 ->
          new Outcome.Failed(exit);
      case StepEnd.Ran(ExitStatus exit, _) ->
          Endings.overLimit(draft, job, running)
              ? new Outcome.TimedOut(exit)
              : new Outcome.Completed(exit);
    };
  }
}
