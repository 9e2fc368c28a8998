package io.dure.simulator.mutation;

import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;

/** Says done, and does nothing. */
final class ForgottenCancel extends OtherRules {
  @Override
  Decision decision(Command command, Decision decision) {
    return Mutation.isThirdCancel(command) ? nothing(decision) : decision;
  }
}
