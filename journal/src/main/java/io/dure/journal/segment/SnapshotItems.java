package io.dure.journal.segment;

import java.io.IOException;

/**
 * A state as a snapshot holds it: items in order, at least one, so that neither writing nor reading
 * it takes more memory than a few of them. What the items mean is their writer's own.
 */
public interface SnapshotItems {
  /** Takes one item after the other. */
  interface Sink {
    /**
     * The next item, which must not change afterwards.
     *
     * @throws IOException if it cannot be taken; no more are given then
     */
    void item(byte[] bytes) throws IOException;
  }

  /**
   * Gives all items to the sink.
   *
   * @throws IOException if the sink fails, the disk does, or an item is no longer what was stored;
   *     the message says where
   */
  void into(Sink sink) throws IOException;

  /** A state that is one item. */
  static SnapshotItems of(byte[] only) {
    return sink -> sink.item(only);
  }
}
