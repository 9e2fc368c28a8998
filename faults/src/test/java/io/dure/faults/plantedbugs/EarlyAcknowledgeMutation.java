package io.dure.faults.plantedbugs;

import io.dure.cluster.ClusterState;
import io.dure.controller.loop.EventBatch;
import io.dure.controller.loop.EventStore;
import io.dure.faults.world.FaultHooks;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Says that events are durable as soon as they are handed over. */
final class EarlyAcknowledgeMutation implements FaultHooks {
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
