package io.dure.simulator.mutation;

import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.model.Job;

/** News of whatever run of a job counts for its present one. */
final class ForgottenRun extends OtherRules {
  @Override
  Command command(ClusterState state, Command command) {
    return switch (command) {
      case Command.StepEnded ended -> {
        Job job = state.job(ended.jobId());
        yield job == null
            ? command
            : new Command.StepEnded(ended.jobId(), job.run(), ended.end(), ended.clean());
      }
      case Command.NodeCleaned cleaned -> {
        Job job = state.job(cleaned.jobId());
        yield job == null
            ? command
            : new Command.NodeCleaned(cleaned.jobId(), job.run(), cleaned.epilogError());
      }
      default -> command;
    };
  }
}
