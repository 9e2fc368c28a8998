package io.dure.cluster.decide.node;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.decide.job.RunEndRules;
import io.dure.cluster.decide.job.StepCreationRules;
import io.dure.model.ExitStatus;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.command.StepEnd;
import io.dure.model.job.Job;
import io.dure.model.request.Workload;
import io.dure.model.step.LaunchedStep;
import java.util.List;

/** What node daemons tell of numbered steps. */
public final class StepPartRules {
  private StepPartRules() {}

  /** A node tells that a step has ended there. */
  public static Reply partEnded(DecisionBuilder draft, String node, Command.StepPartEnded news) {
    draft.effect(new Effect.ForgetStep(node, news.jobId(), news.run(), news.step()));
    StepReportRules.drainFor(draft, node, news.end());
    Job job = draft.state().active().get(news.jobId());
    LaunchedStep step =
        job == null || job.run() != news.run() ? null : job.runSteps().step(news.step());
    if (job == null || step == null || !step.nodesLeft().contains(node)) {
      return draft.done();
    }
    draft.emit(new Event.StepPartEnded(job.id(), job.run(), step.number(), node, exit(news.end())));
    Job after = draft.state().active().require(job.id());
    if (after.runSteps().step(step.number()) == null && step.number() == 0 && endsWithStep(after)) {
      boolean outOfMemory = news.end() instanceof StepEnd.Ran(_, boolean killed) && killed;
      finish(draft, after, LaunchedStep.worse(step.exit(), exit(news.end())), outOfMemory);
    }
    return draft.done();
  }

  /** A job of several components ends with the last of their steps. */
  private static void finish(DecisionBuilder draft, Job job, ExitStatus exit, boolean outOfMemory) {
    Job leader = job;
    ExitStatus worst = exit;
    for (Job part : job.het() == null ? List.<Job>of() : draft.state().records(job.baseId())) {
      if (part.runSteps().step(0) != null) {
        return;
      }
      leader = part.id() == job.baseId() ? part : leader;
      ExitStatus first = part.runSteps().first();
      worst = first == null ? worst : LaunchedStep.worse(worst, first);
    }
    StepCreationRules.finish(draft, leader, worst, outOfMemory);
  }

  private static boolean endsWithStep(Job job) {
    return job.workload() instanceof Workload.InteractiveAllocation interactive
        && interactive.step() != null;
  }

  private static ExitStatus exit(StepEnd end) {
    return switch (end) {
      case StepEnd.Ran(ExitStatus status, boolean outOfMemory) ->
          outOfMemory ? StepReportRules.OUT_OF_MEMORY : status;
      case StepEnd.NotStarted _, StepEnd.PrologFailed _, StepEnd.NodeFault _ ->
          StepReportRules.NOT_STARTED;
      case StepEnd.Lost _ -> RunEndRules.NODE_FAILED;
    };
  }
}
