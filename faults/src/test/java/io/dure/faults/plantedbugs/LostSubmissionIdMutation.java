package io.dure.faults.plantedbugs;

import io.dure.cluster.ClusterState;
import io.dure.model.command.Command;

/** A submission has no name. */
final class LostSubmissionIdMutation extends RulesMutation {
  @Override
  Command command(ClusterState state, Command command) {
    return command instanceof Command.SubmitJob submit
        ? new Command.SubmitJob(submit.spec(), submit.workload(), submit.texts())
        : command;
  }
}
