package io.dure.controller.replica.raft;

import io.dure.journal.StoredState;
import io.dure.journal.segment.ItemSpool;
import io.dure.journal.segment.SnapshotItems;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The state in a snapshot: items that are made when they are needed, or that another member sent. A
 * large state takes seconds to write out, in which the log's thread must go on.
 */
final class SnapshotContent {
  private final ReentrantLock lock = new ReentrantLock();
  private final @Nullable ItemSpool received;
  private volatile SnapshotItems items;
  private @Nullable SnapshotItems stored; // the log's thread
  private @Nullable SoftReference<byte[]> joined; // guarded by lock

  private SnapshotContent(SnapshotItems items, @Nullable ItemSpool received) {
    this.items = items;
    this.received = received;
  }

  /** Of this member's own state. */
  static SnapshotContent of(SnapshotItems image) {
    return new SnapshotContent(image, null);
  }

  /** From another member. */
  static SnapshotContent received(ItemSpool spool) {
    return new SnapshotContent(spool.items(), spool);
  }

  boolean isReceived() {
    return received != null;
  }

  /** The items; making or reading one may take long. Any thread. */
  SnapshotItems items() {
    return items;
  }

  /** What was received lies on the disk now. */
  void storedAs(SnapshotItems onDisk) {
    stored = onDisk;
  }

  /** Gives the state to the replica; what was received is no longer held beside what is stored. */
  void into(ReplicatedStateMachine replica) throws IOException {
    replica.restore(items);
    if (stored != null) {
      items = stored;
      if (received != null) {
        received.close();
      }
    }
  }

  /** All items in one array, for members of an earlier version that know no items. Any thread. */
  byte[] joined() throws IOException {
    lock.lock();
    try {
      byte[] bytes = joined == null ? null : joined.get();
      if (bytes == null) {
        bytes = StoredState.joined(items);
        joined = new SoftReference<>(bytes);
      }
      return bytes;
    } finally {
      lock.unlock();
    }
  }
}
