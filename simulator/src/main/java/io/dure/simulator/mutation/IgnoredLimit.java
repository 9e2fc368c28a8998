package io.dure.simulator.mutation;

import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;

/** Time passes without ending anything. */
final class IgnoredLimit extends OtherRules {
  @Override
  Decision decision(Command command, Decision decision) {
    return decision.events().stream().anyMatch(Mutation::isTimeout) ? nothing(decision) : decision;
  }
}
