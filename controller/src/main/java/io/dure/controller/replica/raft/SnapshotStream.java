package io.dure.controller.replica.raft;

import io.dure.journal.segment.ItemSpool;
import io.dure.journal.segment.SnapshotItems;
import io.dure.protocol.codec.MalformedMessageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The items of a snapshot on their way to another member: a stream of bytes that is sent in parts.
 * Each item follows its length (4 bytes, big-endian); behind the last come length -1 and CRC32C of
 * all before it (4).
 */
final class SnapshotStream {
  private static final int PART = 512 * 1024;
  private static final int LENGTH = 4;
  private static final int END = -1;

  /** Longer than any that is written: a text has at most some tens of MiB. */
  private static final int MOST_ITEM = 1 << 29;

  private SnapshotStream() {}

  /**
   * Gives the parts that one member asks for, and holds one item at a time. The same parts may be
   * asked for again; earlier ones begin the stream anew. Any thread.
   */
  static final class Sender {
    private final ReentrantLock lock = new ReentrantLock();
    private final SnapshotContent content;
    private SnapshotItems.@Nullable Reader items; // this and what follows are guarded by lock
    private CRC32C checksum = new CRC32C();
    private byte[] window = new byte[0];
    private long start;
    private boolean last;

    Sender(SnapshotContent content) {
      this.content = content;
    }

    boolean isOf(SnapshotContent other) {
      return content == other;
    }

    /**
     * The part that begins at that byte, an empty one behind the end.
     *
     * @throws IOException if an item cannot be read
     */
    PeerMessage.Part part(long snapshot, long from) throws IOException {
      lock.lock();
      try {
        if (from < start) {
          begin();
        }
        while (from >= start + window.length && !last) {
          advance();
        }
        int at = (int) Math.min(from - start, window.length);
        byte[] bytes = Arrays.copyOfRange(window, at, Math.min(window.length, at + PART));
        boolean end = last && at + bytes.length == window.length;
        return new PeerMessage.Part(snapshot, end ? start + window.length : -1, from, bytes, true);
      } finally {
        lock.unlock();
      }
    }

    private void begin() {
      items = null;
      checksum = new CRC32C();
      window = new byte[0];
      start = 0;
      last = false;
    }

    private void advance() throws IOException {
      start += window.length;
      window = new byte[0]; // goes before the next is made
      SnapshotItems.Reader now = items == null ? content.items().open() : items;
      items = now;
      byte[] item = now.next();
      if (item == null) {
        last = true;
        int sum = (int) checksum.getValue();
        window = ByteBuffer.allocate(2 * LENGTH).putInt(END).putInt(sum).array();
      } else {
        window = ByteBuffer.allocate(LENGTH + item.length).putInt(item.length).put(item).array();
        checksum.update(window, 0, window.length);
      }
    }
  }

  /** Puts the items together again. One thread. */
  static final class Receiver {
    private final ItemSpool items;
    private final CRC32C checksum = new CRC32C();
    private final ByteBuffer length = ByteBuffer.allocate(LENGTH);
    private byte @Nullable [] item;
    private int got;
    private boolean ending;
    private boolean whole;

    Receiver(ItemSpool items) {
      this.items = items;
    }

    /**
     * The next bytes.
     *
     * @throws IOException if an item cannot be put away
     * @throws MalformedMessageException if they are none of a stream, or of another than those
     *     before
     */
    void add(byte[] bytes) throws IOException {
      int at = 0;
      while (at < bytes.length) {
        if (item == null) {
          at = addToLength(bytes, at);
        } else {
          int more = Math.min(item.length - got, bytes.length - at);
          System.arraycopy(bytes, at, item, got, more);
          got += more;
          at += more;
          addWhole(item);
        }
      }
    }

    private int addToLength(byte[] bytes, int at) throws IOException {
      int more = Math.min(length.remaining(), bytes.length - at);
      length.put(bytes, at, more);
      if (length.hasRemaining()) {
        return at + more;
      }
      int number = length.getInt(0);
      length.clear();
      if (whole || (!ending && number != END && (number < 0 || number > MOST_ITEM))) {
        throw new MalformedMessageException("no stream of items");
      } else if (ending) {
        if (number != (int) checksum.getValue()) {
          throw new MalformedMessageException("the items are not those that were sent");
        }
        whole = true;
      } else if (number == END) {
        ending = true;
      } else {
        checksum.update(ByteBuffer.allocate(LENGTH).putInt(number).flip());
        item = new byte[number];
        got = 0;
        addWhole(item);
      }
      return at + more;
    }

    private void addWhole(byte[] now) throws IOException {
      if (got == now.length) {
        checksum.update(now, 0, now.length);
        items.item(now);
        item = null;
      }
    }

    boolean isWhole() {
      return whole;
    }

    /** All items, once it is whole. */
    ItemSpool items() {
      return items;
    }
  }
}
