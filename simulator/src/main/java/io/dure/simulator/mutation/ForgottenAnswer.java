package io.dure.simulator.mutation;

import io.dure.controller.loop.StateKeeper;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.Event;
import io.dure.core.controller.StateSnapshot;
import io.dure.simulator.world.Wiring;
import java.time.Instant;
import java.util.List;

/** A change is decided as if nothing had been answered yet. */
final class ForgottenAnswer implements Wiring {
  @Override
  public StateKeeper.Rules rules(StateKeeper.Rules real) {
    return new StateKeeper.Rules() {
      @Override
      public Decision decide(ClusterState state, Command command, Caller caller, Instant now) {
        return real.decide(
            command instanceof Command.Named ? forgetful(state) : state, command, caller, now);
      }

      @Override
      public ClusterState apply(ClusterState state, List<Event> events) {
        return real.apply(state, events);
      }
    };
  }

  private static ClusterState forgetful(ClusterState state) {
    StateSnapshot found = StateSnapshot.of(state);
    return found.withAnswers(List.of()).restore();
  }
}
