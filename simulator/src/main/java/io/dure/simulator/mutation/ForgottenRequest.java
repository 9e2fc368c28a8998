package io.dure.simulator.mutation;

import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;

/** A submission has no name. */
final class ForgottenRequest extends OtherRules {
  @Override
  Command command(ClusterState state, Command command) {
    return command instanceof Command.SubmitJob submit
        ? new Command.SubmitJob(submit.spec(), submit.batch(), submit.texts())
        : command;
  }
}
