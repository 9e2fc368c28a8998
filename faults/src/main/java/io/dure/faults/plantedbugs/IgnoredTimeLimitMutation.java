package io.dure.faults.plantedbugs;

import io.dure.cluster.Decision;
import io.dure.model.command.Command;

/** Time passes without ending anything. */
final class IgnoredTimeLimitMutation extends RulesMutation {
  @Override
  Decision decision(Command command, Decision decision) {
    return decision.events().stream().anyMatch(PlantedBug::isTimeout)
        ? nothing(decision)
        : decision;
  }
}
