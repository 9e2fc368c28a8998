package io.dure.cluster.decide.job;

import io.dure.cluster.DecisionBuilder;
import io.dure.model.command.Effect;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.step.LaunchedStep;

/** Signals to a job that runs, on all nodes that it concerns. */
public final class JobSignals {
  private JobSignals() {}

  /**
   * Sends one. The batch host knows which steps run on it; each other node is told for every step
   * of it there.
   */
  public static void send(
      DecisionBuilder draft, Job job, JobState.Running running, int signal, Effect.Scope scope) {
    String host = job.isHetFollower() ? null : running.allocation().batchHost();
    if (host != null) {
      draft.effect(new Effect.Signal(host, job.id(), job.run(), signal, scope));
    }
    if (scope == Effect.Scope.BATCH_SHELL) {
      return;
    }
    for (LaunchedStep step : job.runSteps().live()) {
      for (String node : step.nodesLeft()) {
        if (!node.equals(host)) {
          draft.effect(new Effect.SignalStep(node, job.id(), job.run(), step.number(), signal));
        }
      }
    }
  }
}
