package io.dure.simulator.mutation;

import io.dure.controller.loop.EventBatch;
import io.dure.controller.loop.EventStore;
import io.dure.core.controller.ClusterState;
import io.dure.simulator.world.Wiring;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Offers the state before the last events as the one after them. */
final class StaleSnapshot implements Wiring {
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
