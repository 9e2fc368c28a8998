package io.dure.node.agent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * A file of records that grows: each has its length, its CRC-32 and its bytes. What a writer that
 * was killed or had no room has left of a record does not count, and the next one takes its place.
 * One thread calls.
 */
final class RunFile {
  private static final int HEAD = 8;

  private final Path path;
  private long end;

  /**
   * A file and what it holds.
   *
   * @param first the first record
   * @param last the last that is whole, not the first
   */
  @SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
  record Opened(RunFile file, byte[] first, byte[] last) {}

  private RunFile(Path path, long end) {
    this.path = path;
    this.end = end;
  }

  /**
   * A new file that only its owner may read.
   *
   * @throws IOException if it exists or cannot be written
   */
  static RunFile create(Path path, List<byte[]> records) throws IOException {
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    RunFile file = new RunFile(path, 0);
    try (FileChannel channel = FileChannel.open(path, options, mode)) {
      for (byte[] record : records) {
        file.write(channel, record);
      }
    }
    return file;
  }

  /**
   * An existing file.
   *
   * @throws IOException if it cannot be read, or not two of its records are whole
   */
  static Opened open(Path path) throws IOException {
    ByteBuffer all = ByteBuffer.wrap(Files.readAllBytes(path));
    byte[] first = next(all);
    byte[] last = first == null ? null : next(all);
    if (first == null || last == null) {
      throw new IOException(path + ": not whole");
    }
    for (byte[] more = next(all); more != null; more = next(all)) {
      last = more;
    }
    return new Opened(new RunFile(path, all.position()), first, last);
  }

  /** The next record, null if it is not whole; then the position stays. */
  private static byte @Nullable [] next(ByteBuffer all) {
    int start = all.position();
    if (all.remaining() < HEAD) {
      return null;
    }
    int length = all.getInt();
    int sum = all.getInt();
    if (length >= 0 && length <= all.remaining()) {
      byte[] record = new byte[length];
      all.get(record);
      if (sum(record) == sum) {
        return record;
      }
    }
    all.position(start);
    return null;
  }

  /**
   * Adds a record.
   *
   * @throws IOException if it cannot be written; the former ones are still there then
   */
  void append(byte[] record) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      if (channel.size() < end) {
        throw new IOException(path + ": shorter than it was written");
      }
      write(channel, record);
    }
  }

  private void write(FileChannel channel, byte[] record) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(HEAD + record.length);
    out.putInt(record.length).putInt(sum(record)).put(record).flip();
    long at = end;
    while (out.hasRemaining()) {
      at += channel.write(out, at);
    }
    end = at;
  }

  private static int sum(byte[] record) {
    CRC32 sum = new CRC32();
    sum.update(record);
    return (int) sum.getValue();
  }
}
