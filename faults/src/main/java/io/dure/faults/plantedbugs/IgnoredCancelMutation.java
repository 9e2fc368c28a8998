package io.dure.faults.plantedbugs;

import io.dure.cluster.Decision;
import io.dure.model.command.Command;

/** Says done, and does nothing. */
final class IgnoredCancelMutation extends RulesMutation {
  @Override
  Decision decision(Command command, Decision decision) {
    return PlantedBug.isThirdCancel(command) ? nothing(decision) : decision;
  }
}
