package io.dure.journal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot's file, big-endian: magic (8 bytes), format version (4), sequence of the last record
 * it includes (8), the state, and CRC32C of all before (4).
 *
 * <p>In version 1 the state is one item, as it is. In version 2 it is two or more: each has its
 * length (4), its number from 0 on (4), CRC32C over sequence, number, length and bytes (4), its
 * bytes; behind the last follow length -1, the number of items and their CRC32C.
 *
 * <p>One thread.
 */
final class SnapshotFormat {
  static final int ONE_ITEM = 1;
  static final int ITEMS = 2;
  private static final byte[] MAGIC = "DURESNAP".getBytes(StandardCharsets.US_ASCII);
  private static final int HEAD = 20;
  private static final int ITEM_HEAD = 12;
  private static final int END = -1;
  private static final int CRC = 4;
  private static final int PIECE = 1024 * 1024;

  private SnapshotFormat() {}

  private static ByteBuffer head(int version, long sequence) {
    return ByteBuffer.allocate(HEAD).put(MAGIC).putInt(version).putLong(sequence).flip();
  }

  private static int checksum(long sequence, int number, int length, byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(16).putLong(sequence).putInt(number).putInt(length).flip());
    crc.update(bytes, 0, bytes.length);
    return (int) crc.getValue();
  }

  /** Writes the items of one snapshot; holds the first until it is known whether others follow. */
  static final class Writer implements SnapshotItems.Sink {
    private final JournalDiskFile out;
    private final long sequence;
    private final CRC32C whole = new CRC32C();
    private byte[] first = new byte[0];
    private int count;
    private long at;

    Writer(JournalDiskFile out, long sequence) {
      this.out = out;
      this.sequence = sequence;
    }

    @Override
    public void item(byte[] bytes) throws IOException {
      if (count == 0) {
        first = bytes;
      } else {
        if (count == 1) {
          put(head(ITEMS, sequence));
          putItem(0, first);
          first = new byte[0];
        }
        putItem(count, bytes);
      }
      count++;
    }

    /** Writes the end and makes all of it durable. */
    void finish() throws IOException {
      switch (count) {
        case 0 -> throw new IllegalStateException("a snapshot without items");
        case 1 -> {
          put(head(ONE_ITEM, sequence));
          put(ByteBuffer.wrap(first));
        }
        default -> putItemHead(count, END, new byte[0]);
      }
      put(ByteBuffer.allocate(CRC).putInt((int) whole.getValue()).flip());
      out.sync(true);
    }

    private void putItem(int number, byte[] bytes) throws IOException {
      putItemHead(number, bytes.length, bytes);
      put(ByteBuffer.wrap(bytes));
    }

    private void putItemHead(int number, int length, byte[] bytes) throws IOException {
      ByteBuffer head = ByteBuffer.allocate(ITEM_HEAD).putInt(length).putInt(number);
      put(head.putInt(checksum(sequence, number, length, bytes)).flip());
    }

    private void put(ByteBuffer bytes) throws IOException {
      whole.update(bytes.duplicate());
      int length = bytes.remaining();
      out.write(bytes, at);
      at += length;
    }

    /** How far it came, for messages. */
    String place() {
      return "item " + count + ", after " + at + " bytes";
    }
  }

  /**
   * Whether a file is whole and of that snapshot; reads all of it, in small pieces.
   *
   * @throws JournalRefusedException if it is of a newer format
   */
  static boolean isWhole(JournalDiskFile file, Path path, long sequence) throws IOException {
    long size = file.size();
    if (size < HEAD + CRC) {
      return false;
    }
    CRC32C whole = new CRC32C();
    ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE, size));
    for (long at = 0; at < size - CRC; at += PIECE) {
      piece.clear().limit((int) Math.min(PIECE, size - CRC - at));
      file.read(piece, at);
      whole.update(piece.flip());
    }
    if ((int) whole.getValue() != read(file, size - CRC, CRC).getInt()) {
      return false;
    }
    ByteBuffer head = read(file, 0, HEAD);
    if (head.mismatch(ByteBuffer.wrap(MAGIC)) != MAGIC.length) {
      return false;
    }
    if (head.getInt(8) != ONE_ITEM) {
      SegmentHeader.checkVersion(path, head.getInt(8), ITEMS);
    }
    return head.getLong(12) == sequence;
  }

  /**
   * Reads the items of a file that was found whole. Between two items the file is not open, so a
   * reader that is given up holds nothing.
   */
  static final class Reader implements SnapshotItems.Reader {
    private final JournalDisk disk;
    private final Path path;
    private final long sequence;
    private long at = HEAD;
    private int number;
    private boolean ended;

    Reader(JournalDisk disk, Path path, long sequence) {
      this.disk = disk;
      this.path = path;
      this.sequence = sequence;
    }

    @Override
    public byte @Nullable [] next() throws IOException {
      if (ended) {
        return null;
      }
      try (JournalDiskFile file = disk.open(path)) {
        ByteBuffer start = read(file, 0, HEAD);
        return start.getInt(8) == ONE_ITEM ? only(file, start) : item(file);
      }
    }

    private byte[] only(JournalDiskFile file, ByteBuffer start) throws IOException {
      byte[] only = read(file, HEAD, Math.toIntExact(file.size() - HEAD - CRC)).array();
      CRC32C whole = new CRC32C();
      whole.update(start);
      whole.update(only, 0, only.length);
      if ((int) whole.getValue() != read(file, file.size() - CRC, CRC).getInt()) {
        throw changed(path, HEAD, 0);
      }
      ended = true;
      return only;
    }

    private byte @Nullable [] item(JournalDiskFile file) throws IOException {
      ByteBuffer head = read(file, at, ITEM_HEAD);
      int length = head.getInt();
      boolean end = length == END;
      long rest = file.size() - CRC - at - ITEM_HEAD;
      if (head.getInt() != number || (end ? rest != 0 : length < 0 || length > rest)) {
        throw changed(path, at, number);
      }
      byte[] bytes = read(file, at + ITEM_HEAD, end ? 0 : length).array();
      if (head.getInt() != checksum(sequence, number, length, bytes)) {
        throw changed(path, at, number);
      }
      ended = end;
      at += ITEM_HEAD + (long) bytes.length;
      number++;
      return end ? null : bytes;
    }
  }

  private static ByteBuffer read(JournalDiskFile file, long at, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    file.read(bytes, at);
    return bytes.rewind();
  }

  private static IOException changed(Path path, long at, int number) {
    return new IOException(
        path + ":" + at + ": item " + number + " of this snapshot is no longer as it was opened");
  }
}
