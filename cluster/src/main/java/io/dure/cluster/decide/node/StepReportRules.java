package io.dure.cluster.decide.node;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.decide.job.RunEndRules;
import io.dure.cluster.decide.job.StepKillRules;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.command.StepEnd;
import io.dure.model.config.ClusterSettings;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.model.request.RequeuePolicy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What node daemons tell of the runs they were given. Late news of earlier runs change nothing. */
public final class StepReportRules {
  /** Exit status of a job whose step could not be started, as Slurm reports it. */
  static final ExitStatus NOT_STARTED = new ExitStatus(0, 53);

  private static final String PROLOG_ERROR = "Prolog error";

  /** What Slurm says of a node that could not launch a script; what was wrong follows. */
  private static final String LAUNCH_ERROR = "batch job complete failure: ";

  private static final int LONGEST_REASON = 200;

  private StepReportRules() {}

  public static Reply launched(DecisionBuilder draft, String node, int jobId, int run) {
    Job job = current(draft, jobId, run);
    JobState.Running running = job == null ? null : job.state().runningOrSuspended();
    if (running == null || running.allocation().shareOn(node) == null) {
      Effect.TerminationReason why =
          job != null && job.state() instanceof JobState.Completing completing
              ? RunEndRules.why(completing)
              : Effect.TerminationReason.ENDED;
      draft.effect(new Effect.Terminate(node, jobId, run, why));
    } else if (!running.launched() && running.allocation().batchHost().equals(node)) {
      draft.emit(new Event.JobLaunched(jobId, run));
    }
    return draft.done();
  }

  public static Reply ended(DecisionBuilder draft, String node, Command.StepEnded news) {
    Job job = current(draft, news.jobId(), news.run());
    if (job != null) {
      switch (job.state()) {
        case JobState.Running running -> running(draft, node, news, job, running);
        case JobState.Suspended suspended ->
            running(draft, node, news, job, suspended.run().withEnd(null));
        case JobState.Completing completing -> completing(draft, node, news, job, completing);
        case JobState.Pending _, JobState.Ended _ ->
            throw new IllegalStateException("not current: " + job);
      }
      account(draft, node, news);
    }
    if (news.clean()) {
      release(draft, node, news.jobId(), news.run());
      draft.effect(new Effect.Forget(node, news.jobId(), news.run()));
    } else if (job == null || !holds(job, node)) {
      // Its end is of no interest any more, but it must not be forgotten before it is clean.
      draft.effect(
          new Effect.Terminate(node, news.jobId(), news.run(), Effect.TerminationReason.ENDED));
    }
    return draft.done();
  }

  /** What the script used is kept once, with its end. */
  private static void account(DecisionBuilder draft, String node, Command.StepEnded news) {
    Job job = current(draft, news.jobId(), news.run());
    if (job != null
        && job.state() instanceof JobState.Completing completing
        && !completing.scriptOver()
        && node.equals(completing.allocation().batchHost())) {
      draft.emit(
          new Event.BatchStepEnded(
              job.id(), job.run(), exit(news.end()), draft.now(), news.end().consumption()));
    }
  }

  /** Only where the controller itself declared the run over does the script's status say more. */
  private static void completing(
      DecisionBuilder draft,
      String node,
      Command.StepEnded news,
      Job job,
      JobState.Completing completing) {
    drainFor(draft, List.of(node), news.end());
    boolean open =
        switch (completing.outcome()) {
          case JobOutcome.Cancelled _,
              JobOutcome.TimedOut _,
              JobOutcome.DeadlineMissed _,
              JobOutcome.Preempted _ ->
              true;
          case JobOutcome.Completed _,
              JobOutcome.Failed _,
              JobOutcome.LaunchFailed _,
              JobOutcome.NodeFailed _,
              JobOutcome.OutOfMemory _ ->
              false;
        };
    if (open
        && news.end() instanceof StepEnd.Ran(ExitStatus exit, _, _)
        && !exit.equals(completing.outcome().exit())
        && node.equals(completing.allocation().batchHost())) {
      draft.emit(new Event.JobExitKnown(job.id(), job.run(), exit));
    }
  }

  public static Reply cleaned(DecisionBuilder draft, String node, Command.NodeCleaned news) {
    Job job = current(draft, news.jobId(), news.run());
    release(draft, node, news.jobId(), news.run());
    // Of a run that is not over the node must say first how it ended.
    if (job == null || job.state().runningOrSuspended() == null || !holds(job, node)) {
      draft.effect(new Effect.Forget(node, news.jobId(), news.run()));
    }
    if (news.epilogError() != null) {
      NodeConditions.drain(draft, node, "Epilog error");
    }
    return draft.done();
  }

  /** The job if that run is the one it is in now, else null. */
  private static @Nullable Job current(DecisionBuilder draft, int jobId, int run) {
    Job job = draft.state().active().get(jobId);
    return job != null && job.run() == run ? job : null;
  }

  /** Whether the node is one of the job's, which may have lost it. */
  private static boolean holds(Job job, String node) {
    Allocation allocation = job.state().allocated();
    return allocation != null && allocation.shareOn(node) != null;
  }

  private static void release(DecisionBuilder draft, String node, int jobId, int run) {
    Job job = current(draft, jobId, run);
    if (job != null
        && job.state() instanceof JobState.Completing completing
        && completing.nodesLeft().contains(node)) {
      RunEndRules.release(draft, job, node);
    }
  }

  private static void running(
      DecisionBuilder draft,
      String node,
      Command.StepEnded news,
      Job job,
      JobState.Running running) {
    if (!node.equals(running.allocation().batchHost())) {
      return;
    }
    ClusterSettings.Jobs settings = draft.state().settings().jobs();
    JobOutcome outcome = outcome(draft, job, running, news.end());
    boolean again = RunEndRules.mayRequeue(draft.state().settings(), job);
    PostRunAction afterwards =
        switch (news.end()) {
          case StepEnd.Ran _ when running.notice() != null -> running.notice().afterwards();
          case StepEnd.Ran(ExitStatus exit, _, _) ->
              job.spec().requeue() == RequeuePolicy.NO
                  ? PostRunAction.END
                  : afterExit(settings, exit);
          case StepEnd.NotStarted _ -> PostRunAction.END;
          case StepEnd.PrologFailed _
              when draft.state().settings().rules().requeueOnPrologFailure() ->
              PostRunAction.REQUEUE;
          case StepEnd.PrologFailed _ -> again ? PostRunAction.REQUEUE_HOLD : PostRunAction.END;
          case StepEnd.Lost _, StepEnd.NodeFault _ ->
              again ? PostRunAction.REQUEUE : PostRunAction.END;
        };
    drainFor(draft, List.of(node), news.end());
    RunEndRules.over(draft, job, outcome, running.allocation().nodes(), afterwards);
    List<String> others = new ArrayList<>(running.allocation().nodes());
    others.remove(node);
    for (String other : others) {
      draft.effect(
          new Effect.Terminate(other, job.id(), job.run(), Effect.TerminationReason.ENDED));
    }
  }

  /** The status that accounts have of it. */
  static ExitStatus exit(StepEnd end) {
    return switch (end) {
      case StepEnd.Ran(ExitStatus status, boolean outOfMemory, _) ->
          outOfMemory ? StepKillRules.OUT_OF_MEMORY : status;
      case StepEnd.NotStarted _, StepEnd.PrologFailed _, StepEnd.NodeFault _ -> NOT_STARTED;
      case StepEnd.Lost _ -> RunEndRules.NODE_FAILED;
    };
  }

  /** A node that could not start a step takes no others, which it would fail as well. */
  static void drainFor(DecisionBuilder draft, List<String> nodes, StepEnd end) {
    switch (end) {
      case StepEnd.PrologFailed _ ->
          nodes.forEach(node -> NodeConditions.drain(draft, node, PROLOG_ERROR));
      case StepEnd.NodeFault(String text) ->
          nodes.forEach(node -> NodeConditions.drain(draft, node, reason(text)));
      case StepEnd.Ran _, StepEnd.NotStarted _, StepEnd.Lost _ -> {}
    }
  }

  private static String reason(String text) {
    String line = LAUNCH_ERROR + text.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON);
  }

  private static PostRunAction afterExit(ClusterSettings.Jobs settings, ExitStatus exit) {
    if (settings.requeueExitHold().contains(exit.code()) && exit.code() != 0) {
      return PostRunAction.SPECIAL_EXIT;
    }
    return settings.requeueExit().contains(exit.code()) && exit.code() != 0
        ? PostRunAction.REQUEUE
        : PostRunAction.END;
  }

  /** Slurm's order of precedence for the end of a run. */
  private static JobOutcome outcome(
      DecisionBuilder draft, Job job, JobState.Running running, StepEnd end) {
    return switch (end) {
      case StepEnd.Lost _ ->
          new JobOutcome.NodeFailed(RunEndRules.NODE_FAILED, running.allocation().batchHost());
      case StepEnd.NotStarted(String text) -> new JobOutcome.LaunchFailed(NOT_STARTED, text);
      case StepEnd.PrologFailed(String text) -> new JobOutcome.LaunchFailed(NOT_STARTED, text);
      case StepEnd.NodeFault(String text) -> new JobOutcome.LaunchFailed(NOT_STARTED, text);
      case StepEnd.Ran(ExitStatus exit, _, _) when running.notice() != null ->
          new JobOutcome.Preempted(exit);
      case StepEnd.Ran(_, boolean outOfMemory, _) when outOfMemory ->
          new JobOutcome.OutOfMemory(StepKillRules.OUT_OF_MEMORY);
      case StepEnd.Ran(ExitStatus exit, _, _) when exit.code() != 0 || exit.signal() != 0 ->
          new JobOutcome.Failed(exit);
      case StepEnd.Ran(ExitStatus exit, _, _) ->
          RunEndRules.overLimit(draft, job, running)
              ? new JobOutcome.TimedOut(exit)
              : new JobOutcome.Completed(exit);
    };
  }
}
