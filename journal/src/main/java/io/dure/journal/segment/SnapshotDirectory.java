package io.dure.journal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of a directory. A file is magic (8 bytes), format version (4), sequence of the last
 * record it includes (8), the state, and CRC32C of all before (4). Any thread, one at a time.
 */
public final class SnapshotDirectory {
  static final int VERSION = 1;
  private static final byte[] MAGIC = "DURESNAP".getBytes(StandardCharsets.US_ASCII);
  private static final String PREFIX = "snapshot-";
  private static final String DAMAGED = ".damaged";
  private static final int HEAD = 20;
  private static final int CRC = 4;
  private static final int KEPT = 2;

  private final JournalDisk disk;
  private final Path directory;
  private final SegmentDirectory segments;

  public SnapshotDirectory(JournalDisk disk, Path directory, SegmentDirectory segments) {
    this.disk = disk;
    this.directory = directory;
    this.segments = segments;
  }

  /**
   * A state that was read back.
   *
   * @param sequence last record included
   * @param state its bytes
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
  public record Snapshot(long sequence, byte[] state) {}

  /**
   * The newest that is whole, null if there is none. Damaged ones stay, for the journal may yet be
   * refused and is then left as it was.
   *
   * @param damaged gets those that are newer and damaged
   * @throws JournalRefusedException for one of a newer format
   */
  public @Nullable Snapshot newest(List<Path> damaged) throws IOException {
    List<Long> sequences = SegmentDirectory.numbers(disk.list(directory), PREFIX);
    for (long sequence : sequences.reversed()) {
      Path file = path(sequence);
      byte[] state = read(file, sequence);
      if (state != null) {
        return new Snapshot(sequence, state);
      }
      damaged.add(file);
    }
    return null;
  }

  /** All that are whole, the oldest first. */
  public List<Snapshot> whole() throws IOException {
    List<Snapshot> whole = new ArrayList<>();
    for (long sequence : SegmentDirectory.numbers(disk.list(directory), PREFIX)) {
      byte[] state = read(path(sequence), sequence);
      if (state != null) {
        whole.add(new Snapshot(sequence, state));
      }
    }
    return whole;
  }

  /**
   * The record up to which the oldest goes, from which on the journal is kept; 0 if it is kept from
   * its begin.
   */
  public long oldest() throws IOException {
    List<Long> sequences = SegmentDirectory.numbers(disk.list(directory), PREFIX);
    return sequences.size() < KEPT ? 0 : sequences.getFirst();
  }

  /** What is wrong with those older than that one, one line each; reads all of them. */
  public List<String> decayed(long newest) throws IOException {
    List<String> lines = new ArrayList<>();
    for (long sequence : SegmentDirectory.numbers(disk.list(directory), PREFIX)) {
      if (sequence < newest && read(path(sequence), sequence) == null) {
        lines.add(path(sequence) + ": this older snapshot is damaged; the newer one is whole");
      }
    }
    return lines;
  }

  /** Sets damaged snapshots aside; what was done is noted. */
  public void setAside(List<Path> damaged, List<String> notes) throws IOException {
    for (Path file : damaged) {
      Path aside = file.resolveSibling(file.getFileName() + DAMAGED);
      disk.rename(file, aside);
      notes.add(
          file + ": this snapshot is damaged; set aside as " + aside + ", going on without it");
    }
  }

  /** Sequences of all that were ever set aside. */
  public Set<Long> damaged() throws IOException {
    List<String> names =
        disk.list(directory).stream()
            .filter(name -> name.endsWith(DAMAGED))
            .map(name -> name.substring(0, name.length() - DAMAGED.length()))
            .toList();
    return Set.copyOf(SegmentDirectory.numbers(names, PREFIX));
  }

  private Path path(long sequence) {
    return directory.resolve(SegmentDirectory.numbered(PREFIX, sequence));
  }

  private byte @Nullable [] read(Path file, long sequence) throws IOException {
    try (JournalDiskFile open = disk.open(file)) {
      long size = open.size();
      if (size < HEAD + CRC || size > Integer.MAX_VALUE - 8) {
        return null;
      }
      byte[] bytes = new byte[(int) size];
      open.read(ByteBuffer.wrap(bytes), 0);
      ByteBuffer view = ByteBuffer.wrap(bytes);
      CRC32C crc = new CRC32C();
      crc.update(bytes, 0, bytes.length - CRC);
      if ((int) crc.getValue() != view.getInt(bytes.length - CRC)
          || view.mismatch(ByteBuffer.wrap(MAGIC)) != MAGIC.length) {
        return null;
      }
      SegmentHeader.checkVersion(file, view.getInt(8), VERSION);
      if (view.getLong(12) != sequence) {
        return null;
      }
      return Arrays.copyOfRange(bytes, HEAD, bytes.length - CRC);
    }
  }

  /** Writes a snapshot durably, then deletes what it and the one before make needless. */
  public void write(long sequence, byte[] state) throws IOException {
    Path file = path(sequence);
    Path temporary = file.resolveSibling(file.getFileName() + SegmentDirectory.TEMPORARY);
    ByteBuffer head = ByteBuffer.allocate(HEAD).put(MAGIC).putInt(VERSION).putLong(sequence).flip();
    CRC32C crc = new CRC32C();
    crc.update(head.duplicate());
    crc.update(state, 0, state.length);
    boolean done = false;
    try (JournalDiskFile out = disk.create(temporary)) {
      out.write(head, 0);
      out.write(ByteBuffer.wrap(state), HEAD);
      out.write(
          ByteBuffer.allocate(CRC).putInt((int) crc.getValue()).flip(), HEAD + (long) state.length);
      out.sync(true);
      disk.rename(temporary, file);
      disk.syncDirectory(directory);
      done = true;
    } finally {
      if (!done) {
        disk.delete(temporary);
      }
    }
    deleteNeedless();
  }

  private void deleteNeedless() throws IOException {
    List<Long> kept = SegmentDirectory.numbers(disk.list(directory), PREFIX).reversed();
    if (kept.size() < KEPT) {
      return; // the only fallback from this one is the journal from its first record
    }
    for (long sequence : kept.subList(KEPT, kept.size())) {
      disk.delete(path(sequence));
    }
    long covered = kept.get(KEPT - 1);
    List<Long> firsts = segments.list();
    for (int i = 0; i + 1 < firsts.size(); i++) {
      // Oldest first, so that a crash in between leaves no hole.
      if (firsts.get(i + 1) <= covered + 1) {
        disk.delete(segments.path(firsts.get(i)));
      }
    }
  }
}
