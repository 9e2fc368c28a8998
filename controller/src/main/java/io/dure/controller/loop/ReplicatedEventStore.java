package io.dure.controller.loop;

import io.dure.cluster.ClusterState;
import io.dure.controller.replica.ReplicatedLog;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Events kept by the controllers of a group together, while this one leads. */
public final class ReplicatedEventStore implements EventStore {
  /** Less than a batch is under way, more than an answered client takes to ask again. */
  private static final long MOMENT_NANOS = 300_000;

  /** Longest wait for further commands. */
  private static final long PATIENCE_NANOS = 2_000_000;

  private final AtomicInteger underWay = new AtomicInteger();
  private final ReplicatedLog replicas;
  private final long epoch;
  private final StoreBackpressure room = new StoreBackpressure();

  /** A store in a log for which this controller has been elected, for that epoch alone. */
  public ReplicatedEventStore(ReplicatedLog replicas, long epoch) {
    this.replicas = replicas;
    this.epoch = epoch;
  }

  /**
   * A batch costs each controller messages, writes and wakings, whatever is in it. So one is under
   * way at a time, and after one that many waited for, clients that got their reply have a moment
   * to send the next request, and another for each in which one did.
   */
  @Override
  public void gather(PendingCommands crowd) {
    if (!room.await(() -> underWay.get() == 0) || crowd.before() <= 1) {
      return;
    }
    long end = System.nanoTime() + PATIENCE_NANOS;
    int seen = 0;
    int now = crowd.now();
    int all = now + crowd.before();
    while (now > seen && now < all && System.nanoTime() < end) {
      seen = now;
      now = crowd.await(all, MOMENT_NANOS);
    }
  }

  @Override
  public void append(EventBatch batch, Consumer<@Nullable Throwable> done) {
    // The other controllers may be behind: nothing is acknowledged until they have caught up.
    if (!room.await(replicas::accepting)) {
      done.accept(StoreBackpressure.stopping());
      return;
    }
    underWay.incrementAndGet();
    replicas.append(
        epoch,
        batch.records(),
        failure -> {
          underWay.decrementAndGet();
          room.look();
          done.accept(failure);
        });
  }

  /** The log asks for snapshots by itself. */
  @Override
  public void offerSnapshot(ClusterState state) {}
}
