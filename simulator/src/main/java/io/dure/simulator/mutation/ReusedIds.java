package io.dure.simulator.mutation;

import io.dure.core.controller.ClusterState;
import io.dure.core.controller.StateSnapshot;
import io.dure.simulator.world.Wiring;

/** After a restart the search for the next job id begins at the first. */
final class ReusedIds implements Wiring {
  @Override
  public ClusterState recovered(ClusterState state) {
    StateSnapshot found = StateSnapshot.of(state);
    return new StateSnapshot(
            found.config(),
            found.partitions(),
            found.nodes(),
            found.jobs(),
            1,
            found.firstRun(),
            found.texts(),
            found.requests(),
            found.answers(),
            found.accounts(),
            found.usage(),
            found.reservations(),
            found.turns(),
            found.runs(),
            found.forecasts())
        .restore();
  }
}
