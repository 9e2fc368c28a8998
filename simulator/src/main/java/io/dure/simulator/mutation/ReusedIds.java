package io.dure.simulator.mutation;

import io.dure.core.controller.ClusterState;
import io.dure.core.controller.StateSnapshot;
import io.dure.simulator.world.Wiring;

/** After a restart the search for the next job id begins at the first. */
final class ReusedIds implements Wiring {
  @Override
  public ClusterState recovered(ClusterState state) {
    StateSnapshot found = StateSnapshot.of(state);
    return found.withNextJobId(1).restore();
  }
}
