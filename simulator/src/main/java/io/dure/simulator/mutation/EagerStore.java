package io.dure.simulator.mutation;

import io.dure.controller.loop.EventBatch;
import io.dure.controller.loop.EventStore;
import io.dure.core.controller.ClusterState;
import io.dure.simulator.world.Wiring;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Says that events are durable as soon as they are handed over. */
final class EagerStore implements Wiring {
  @Override
  public EventStore store(EventStore real) {
    return new EventStore() {
      @Override
      public void append(EventBatch batch, Consumer<@Nullable Throwable> done) {
        real.append(batch, _ -> {});
        done.accept(null);
      }

      @Override
      public void offerSnapshot(ClusterState state) {
        real.offerSnapshot(state);
      }
    };
  }
}
