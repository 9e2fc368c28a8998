package io.dure.simulator.mutation;

import io.dure.controller.loop.StateKeeper;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.Event;
import io.dure.simulator.world.Wiring;
import java.time.Instant;
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

  /** The events that are applied instead. */
  List<Event> applied(List<Event> events) {
    return events;
  }

  @Override
  public StateKeeper.Rules rules(StateKeeper.Rules real) {
    return new StateKeeper.Rules() {
      @Override
      public Decision decide(ClusterState state, Command command, Caller caller, Instant now) {
        Command other = command(state, command);
        return decision(other, real.decide(state, other, caller, now));
      }

      @Override
      public ClusterState apply(ClusterState state, List<Event> events) {
        return real.apply(state, applied(events));
      }
    };
  }
}
