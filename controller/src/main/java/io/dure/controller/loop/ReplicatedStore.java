package io.dure.controller.loop;

import io.dure.controller.journal.EventJournal;
import io.dure.controller.replica.ReplicatedLog;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Event;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Events kept by the controllers of a group together, while this one leads. */
public final class ReplicatedStore implements EventStore {
  private static final long FULL_CHECK_NANOS = 10_000_000;
  private static final long PART_BYTES = 32 << 20;

  private final ReplicatedLog replicas;
  private final long reign;
  private final InstantSource clock;

  /** A store in a log for which this controller has been elected, for that reign alone. */
  public ReplicatedStore(ReplicatedLog replicas, long reign, InstantSource clock) {
    this.replicas = replicas;
    this.reign = reign;
    this.clock = clock;
  }

  @Override
  public void append(List<Event> events, Consumer<@Nullable Throwable> done) {
    List<byte[]> records = EventJournal.records(clock.instant(), events);
    int from = 0;
    do {
      while (!replicas.accepting()) {
        // Too many wait for the others: nobody is acknowledged until they have caught up.
        LockSupport.parkNanos(FULL_CHECK_NANOS);
      }
      int to = EventJournal.endOfPart(records, from, PART_BYTES);
      boolean last = to == records.size();
      replicas.append(reign, records.subList(from, to), last ? done : _ -> {});
      from = to;
    } while (from < records.size());
  }

  /** The log asks for snapshots by itself. */
  @Override
  public void offerSnapshot(ClusterState state) {}
}
