package io.dure.journal.segment;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A state as a snapshot holds it: items in order, at least one, so that neither writing nor reading
 * nor sending it takes more memory than a few of them. What the items mean is their writer's own.
 * Any thread.
 */
public interface SnapshotItems {
  /** Begins with the first item; may be done more than once, and gives the same items each time. */
  Reader open();

  /** Gives one item after the other. One thread. */
  interface Reader {
    /**
     * The next item, which must not change afterwards; null behind the last.
     *
     * @throws IOException if the disk fails, or an item is no longer what was stored; the message
     *     says where
     */
    byte @Nullable [] next() throws IOException;
  }

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
   * @throws IOException if the sink fails, or the items cannot be read
   */
  default void into(Sink sink) throws IOException {
    Reader items = open();
    for (byte[] item = items.next(); item != null; item = items.next()) {
      sink.item(item);
    }
  }

  /** Items that are in memory. */
  static SnapshotItems of(List<byte[]> items) {
    List<byte[]> all = List.copyOf(items);
    return () -> {
      Iterator<byte[]> rest = all.iterator();
      return () -> rest.hasNext() ? rest.next() : null;
    };
  }

  /** A state that is one item. */
  static SnapshotItems of(byte[] only) {
    return of(List.of(only));
  }
}
