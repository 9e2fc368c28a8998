package io.dure.controller.loop;

import io.dure.controller.replica.ReplicatedLog;
import io.dure.core.controller.ClusterState;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Events kept by the controllers of a group together, while this one leads. */
public final class ReplicatedStore implements EventStore {
  private static final long FULL_CHECK_NANOS = 10_000_000;

  private final ReplicatedLog replicas;
  private final long reign;

  /** A store in a log for which this controller has been elected, for that reign alone. */
  public ReplicatedStore(ReplicatedLog replicas, long reign) {
    this.replicas = replicas;
    this.reign = reign;
  }

  @Override
  public void append(EventBatch batch, Consumer<@Nullable Throwable> done) {
    while (!replicas.accepting()) {
      // Too many wait for the others: nobody is acknowledged until they have caught up.
      LockSupport.parkNanos(FULL_CHECK_NANOS);
    }
    replicas.append(reign, batch.records(), done);
  }

  /** The log asks for snapshots by itself. */
  @Override
  public void offerSnapshot(ClusterState state) {}
}
