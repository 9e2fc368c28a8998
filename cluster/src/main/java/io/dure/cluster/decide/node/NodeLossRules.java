package io.dure.cluster.decide.node;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.decide.job.RunEndRules;
import io.dure.cluster.decide.job.StepKillRules;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.step.LaunchedStep;
import java.util.List;

/** What becomes of a job on a node that is lost. */
final class NodeLossRules {
  private NodeLossRules() {}

  /** The job ends or goes back, or goes on without the node. */
  static void lost(DecisionBuilder draft, Job job, String node) {
    if (!goesOn(job, node)) {
      RunEndRules.nodeLost(draft, job, node);
      return;
    }
    List<LaunchedStep> there =
        job.runSteps().live().stream().filter(step -> step.nodesLeft().contains(node)).toList();
    draft.emit(
        new Event.AllocationShrunk(
            job.id(), job.run(), node, RunEndRules.NODE_FAILED, draft.now()));
    for (LaunchedStep step : there) {
      Job after = draft.state().active().require(job.id());
      LaunchedStep rest = after.runSteps().step(step.number());
      if (rest == null) {
        StepPartRules.over(
            draft, after, step.number(), LaunchedStep.worse(step.exit(), RunEndRules.NODE_FAILED));
      } else if (!rest.spec().survivesNodes()) {
        StepKillRules.cancel(draft, after, rest);
      }
    }
  }

  /** Whether it asked for that, runs, and keeps its script. */
  private static boolean goesOn(Job job, String node) {
    JobState.Running running = job.state().runningOrSuspended();
    return running != null
        && job.spec().survivesNodes()
        && !running.configuring()
        && running.allocation().nodes().size() > 1
        && running.allocation().shareOn(node) != null
        && !job.hasScriptOn(node);
  }
}
