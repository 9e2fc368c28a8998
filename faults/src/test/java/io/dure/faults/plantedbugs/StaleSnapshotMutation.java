package io.dure.faults.plantedbugs;

import io.dure.cluster.ClusterState;
import io.dure.controller.loop.EventBatch;
import io.dure.controller.loop.EventStore;
import io.dure.faults.world.FaultHooks;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Offers the state before the last events as the one after them. */
final class StaleSnapshotMutation implements FaultHooks {
  @Override
  public EventStore store(EventStore real) {
    return new EventStore() {
      private @Nullable ClusterState former;

      @Override
      public void append(EventBatch batch, Consumer<@Nullable Throwable> done) {
        real.append(batch, done);
      }

      @Override
      public void offerSnapshot(ClusterState state) {
        ClusterState before = former;
        real.offerSnapshot(before == null ? state : before);
        former = state;
      }
    };
  }
}
