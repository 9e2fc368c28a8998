package io.dure.faults.plantedbugs;

import io.dure.cluster.ClusterState;
import io.dure.cluster.StateSnapshot;
import io.dure.faults.world.FaultHooks;

/** After a restart the search for the next job id begins at the first. */
final class ReusedJobIdMutation implements FaultHooks {
  @Override
  public ClusterState recovered(ClusterState state) {
    StateSnapshot found = StateSnapshot.of(state);
    return found.withNextJobId(1).restore();
  }
}
