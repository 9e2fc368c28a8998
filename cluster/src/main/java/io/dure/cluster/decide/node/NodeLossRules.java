package io.dure.cluster.decide.node;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.decide.job.JobResizeRules;
import io.dure.cluster.decide.job.RunEndRules;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
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
    JobResizeRules.goOnWithout(
        draft, job, List.of(node), RunEndRules.NODE_FAILED, step -> step.spec().survivesNodes());
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
