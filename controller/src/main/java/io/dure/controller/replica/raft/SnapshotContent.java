package io.dure.controller.replica.raft;

import io.dure.journal.StoredState;
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
  private final boolean received;
  private volatile SnapshotItems items;
  private @Nullable SnapshotItems stored; // the log's thread
  private @Nullable SoftReference<byte[]> joined; // guarded by lock

  private SnapshotContent(SnapshotItems items, boolean received) {
    this.items = items;
    this.received = received;
  }

  /** Of this member's own state. */
  static SnapshotContent of(SnapshotItems image) {
    return new SnapshotContent(image, false);
  }

  /** From another member. */
  static SnapshotContent received(SnapshotItems items) {
    return new SnapshotContent(items, true);
  }

  boolean isReceived() {
    return received;
  }

  /** The items; making or reading one may take long. Any thread. */
  SnapshotItems items() {
    return items;
  }

  /** What was received lies on the disk now. */
  void storedAs(SnapshotItems onDisk) {
    stored = onDisk;
  }

  /** Gives the state to the replica; what lies on the disk is no longer held in memory then. */
  void into(ReplicatedStateMachine replica) throws IOException {
    replica.restore(items);
    if (stored != null) {
      items = stored;
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
