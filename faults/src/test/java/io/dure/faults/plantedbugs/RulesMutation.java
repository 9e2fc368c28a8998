package io.dure.faults.plantedbugs;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.DecisionFunction;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.faults.world.FaultHooks;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import java.util.List;

/** Rules that are not the core's in one point. */
abstract class RulesMutation implements FaultHooks {
  /** The command that is decided instead. */
  Command command(ClusterState state, Command command) {
    return command;
  }

  /** The decision that is taken instead. */
  Decision decision(Command command, Decision decision) {
    return decision;
  }

  /** Done, and nothing changes. */
  static Decision nothing(Decision instead) {
    return new Decision(instead.after(), List.of(), List.of(), new Reply.Done());
  }

  /** The events that are applied instead. */
  List<Event> applied(List<Event> events) {
    return events;
  }

  @Override
  public DecisionFunction rules(DecisionFunction real) {
    return (state, command, caller, now) -> {
      Command other = command(state, command);
      Decision taken = decision(other, real.decide(state, other, caller, now));
      return new Decision(
          EventApplier.applyAll(state, applied(taken.events())),
          taken.events(),
          taken.effects(),
          taken.reply());
    };
  }
}
