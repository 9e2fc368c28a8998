package io.dure.faults.plantedbugs;

import io.dure.cluster.Decision;
import io.dure.model.command.Command;

/** Says done, and does nothing. */
final class IgnoredCancelMutation extends RulesMutation {
  @Override
  Decision decision(Command command, Decision decision) {
    return isThirdCancel(command) ? nothing(decision) : decision;
  }

  private static boolean isThirdCancel(Command command) {
    Command asked = command instanceof Command.Named named ? named.change() : command;
    return asked instanceof Command.KillJob kill && kill.job().jobId() % 3 == 0;
  }
}
