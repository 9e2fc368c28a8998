package io.dure.controller.loop;

import io.dure.controller.replica.ReplicatedLog;
import io.dure.core.controller.ClusterState;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Events kept by the controllers of a group together, while this one leads. */
public final class ReplicatedStore implements EventStore {
  private final ReplicatedLog replicas;
  private final long reign;
  private final StoreRoom room = new StoreRoom();

  /** A store in a log for which this controller has been elected, for that reign alone. */
  public ReplicatedStore(ReplicatedLog replicas, long reign) {
    this.replicas = replicas;
    this.reign = reign;
  }

  @Override
  public void append(EventBatch batch, Consumer<@Nullable Throwable> done) {
    // Too many may wait for the others: nobody is acknowledged until they have caught up.
    if (!room.await(replicas::accepting)) {
      done.accept(StoreRoom.stopping());
      return;
    }
    replicas.append(reign, batch.records(), done);
  }

  /** The log asks for snapshots by itself. */
  @Override
  public void offerSnapshot(ClusterState state) {}
}
