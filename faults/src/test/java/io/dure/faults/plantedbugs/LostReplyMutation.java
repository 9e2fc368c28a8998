package io.dure.faults.plantedbugs;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Decision;
import io.dure.cluster.DecisionFunction;
import io.dure.cluster.StateSnapshot;
import io.dure.faults.world.FaultHooks;
import io.dure.model.command.Command;
import java.util.List;

/** A change is decided as if nothing had been answered yet. */
final class LostReplyMutation implements FaultHooks {
  @Override
  public DecisionFunction rules(DecisionFunction real) {
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
