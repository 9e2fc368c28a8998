package io.dure.simulator.mutation;

import io.dure.controller.loop.StateKeeper;
import io.dure.core.controller.Apply;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.Event;
import io.dure.core.controller.Reply;
import io.dure.simulator.world.Wiring;
import java.util.List;

/** Rules that are not the core's in one point. */
abstract class OtherRules implements Wiring {
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
  public StateKeeper.Rules rules(StateKeeper.Rules real) {
    return (state, command, caller, now) -> {
      Command other = command(state, command);
      Decision taken = decision(other, real.decide(state, other, caller, now));
      return new Decision(
          Apply.applyAll(state, applied(taken.events())),
          taken.events(),
          taken.effects(),
          taken.reply());
    };
  }
}
