package io.dure.simulator.mutation;

import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.model.Job;

/** News of whatever run of a job counts for its present one. */
final class ForgottenRun extends OtherRules {
  @Override
  Command command(ClusterState state, Command command) {
    if (command instanceof Command.StepEnded ended) {
      Job job = state.job(ended.jobId());
      return job == null
          ? command
          : new Command.StepEnded(ended.jobId(), job.run(), ended.end(), ended.clean());
    }
    if (command instanceof Command.NodeCleaned cleaned) {
      Job job = state.job(cleaned.jobId());
      return job == null
          ? command
          : new Command.NodeCleaned(cleaned.jobId(), job.run(), cleaned.epilogError());
    }
    return command;
  }
}
