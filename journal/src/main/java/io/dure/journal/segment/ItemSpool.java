package io.dure.journal.segment;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Items of a snapshot while they come from elsewhere and are not stored yet: the first in memory,
 * those beyond {@value #IN_MEMORY} bytes in a file that is gone once this is closed. Nothing of it
 * outlives the program. One thread adds; any thread reads what was added before.
 */
public final class ItemSpool implements SnapshotItems.Sink, AutoCloseable {
  private static final long IN_MEMORY = 64 << 20;
  private static final Cleaner CLEANER = Cleaner.create();

  private final List<byte[]> first = new ArrayList<>();
  private final List<Place> others = new ArrayList<>();
  private final @Nullable Path file;
  private final long most;
  private final Cleaner.@Nullable Cleanable deletion;
  private long inMemory;
  private long inFile;

  private record Place(long from, int length, int checksum) {}

  private ItemSpool(@Nullable Path file, long most) {
    this.file = file;
    this.most = most;
    deletion = file == null ? null : CLEANER.register(this, () -> delete(file));
  }

  /** All in memory. */
  public static ItemSpool inMemory() {
    return new ItemSpool(null, Long.MAX_VALUE);
  }

  /** With a file for what is long; nothing else may use it. */
  public static ItemSpool withFile(Path file) {
    return withFile(file, IN_MEMORY);
  }

  static ItemSpool withFile(Path file, long inMemory) {
    return new ItemSpool(file, inMemory);
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // Its owner deletes what is left when it starts.
    }
  }

  @Override
  public void item(byte[] bytes) throws IOException {
    Path behind = file;
    if (behind == null || (others.isEmpty() && inMemory + bytes.length <= most)) {
      first.add(bytes);
      inMemory += bytes.length;
      return;
    }
    try (RandomAccessFile out = new RandomAccessFile(behind.toFile(), "rw")) {
      if (others.isEmpty()) {
        out.setLength(0);
      }
      out.seek(inFile);
      out.write(bytes);
    } catch (IOException e) {
      throw new IOException(behind + ": " + e.getMessage(), e);
    }
    others.add(new Place(inFile, bytes.length, checksum(bytes)));
    inFile += bytes.length;
  }

  private static int checksum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes);
    return (int) sum.getValue();
  }

  /** What was added so far; what lies in the file can be read until this is closed. */
  public SnapshotItems items() {
    List<byte[]> head = List.copyOf(first);
    List<Place> tail = List.copyOf(others);
    return () -> {
      int[] next = new int[1];
      return () -> {
        int at = next[0]++;
        if (at < head.size()) {
          return head.get(at);
        }
        return at - head.size() < tail.size() ? read(tail.get(at - head.size())) : null;
      };
    };
  }

  private byte[] read(Place place) throws IOException {
    byte[] bytes = new byte[place.length()];
    try (RandomAccessFile in = new RandomAccessFile(String.valueOf(file), "r")) {
      in.seek(place.from());
      in.readFully(bytes);
    } finally {
      Reference.reachabilityFence(this);
    }
    if (checksum(bytes) != place.checksum()) {
      throw new IOException(file + " is not as it was written");
    }
    return bytes;
  }

  /** Deletes the file. */
  @Override
  public void close() {
    if (deletion != null) {
      deletion.clean();
    }
  }
}
