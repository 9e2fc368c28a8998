package io.dure.controller.replica.raft;

import java.lang.ref.SoftReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The state in a snapshot: its bytes, or an image that they are made of when they are needed. A
 * large state takes seconds to write out, in which the log's thread must go on.
 */
final class SnapshotContent {
  private final ReentrantLock lock = new ReentrantLock();
  private final ReplicatedStateMachine.@Nullable StateImage image;
  private final byte @Nullable [] received;
  private @Nullable SoftReference<byte[]> made;

  private SnapshotContent(
      ReplicatedStateMachine.@Nullable StateImage image, byte @Nullable [] received) {
    this.image = image;
    this.received = received;
  }

  static SnapshotContent of(ReplicatedStateMachine.StateImage image) {
    return new SnapshotContent(image, null);
  }

  static SnapshotContent of(byte[] bytes) {
    return new SnapshotContent(null, bytes);
  }

  /** Whether the bytes are at hand. */
  boolean isReceived() {
    return received != null;
  }

  /** The bytes; may take long. Any thread. */
  byte[] bytes() {
    if (received != null) {
      return received;
    }
    lock.lock();
    try {
      byte[] bytes = made == null ? null : made.get();
      if (bytes == null) {
        if (image == null) {
          throw new IllegalStateException("a content has one of the two");
        }
        bytes = image.encode();
        made = new SoftReference<>(bytes);
      }
      return bytes;
    } finally {
      lock.unlock();
    }
  }
}
