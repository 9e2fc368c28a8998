package io.dure.faults.plantedbugs;

import io.dure.cluster.ClusterState;
import io.dure.model.command.Command;
import io.dure.model.job.Job;

/** News of whatever run of a job counts for its present one. */
final class IgnoredRunNumberMutation extends RulesMutation {
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
