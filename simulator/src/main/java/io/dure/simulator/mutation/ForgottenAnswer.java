package io.dure.simulator.mutation;

import io.dure.controller.loop.StateKeeper;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.StateSnapshot;
import io.dure.simulator.world.Wiring;
import java.util.List;

/** A change is decided as if nothing had been answered yet. */
final class ForgottenAnswer implements Wiring {
  @Override
  public StateKeeper.Rules rules(StateKeeper.Rules real) {
    return (state, command, caller, now) -> {
      Decision taken =
          real.decide(
              command instanceof Command.Named ? forgetful(state) : state, command, caller, now);
      return Decision.of(state, taken.events(), taken.effects(), taken.reply());
    };
  }

  private static ClusterState forgetful(ClusterState state) {
    StateSnapshot found = StateSnapshot.of(state);
    return found.withAnswers(List.of()).restore();
  }
}
