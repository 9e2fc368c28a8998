package io.dure.journal.segment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of a directory, in the files of {@link SnapshotFormat}. Any thread, one at a time.
 */
public final class SnapshotDirectory {
  private static final String PREFIX = "snapshot-";
  private static final String DAMAGED = ".damaged";
  private static final int KEPT = 2;

  private final JournalDisk disk;
  private final Path directory;
  private final SegmentDirectory segments;
  private volatile long keepFrom = Long.MAX_VALUE;

  public SnapshotDirectory(JournalDisk disk, Path directory, SegmentDirectory segments) {
    this.disk = disk;
    this.directory = directory;
    this.segments = segments;
  }

  /**
   * A state that was read back.
   *
   * @param sequence last record included
   * @param items its state, read from the file each time they are asked for
   */
  public record Snapshot(long sequence, SnapshotItems items) {}

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
      if (isWhole(sequence)) {
        return stored(sequence);
      }
      damaged.add(path(sequence));
    }
    return null;
  }

  /** All that are whole, the oldest first. */
  public List<Snapshot> whole() throws IOException {
    List<Snapshot> whole = new ArrayList<>();
    for (long sequence : SegmentDirectory.numbers(disk.list(directory), PREFIX)) {
      if (isWhole(sequence)) {
        whole.add(stored(sequence));
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
      if (sequence < newest && !isWhole(sequence)) {
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

  private boolean isWhole(long sequence) throws IOException {
    try (JournalDiskFile file = disk.open(path(sequence))) {
      return SnapshotFormat.isWhole(file, path(sequence), sequence);
    }
  }

  private Snapshot stored(long sequence) {
    return new Snapshot(sequence, items(sequence));
  }

  private SnapshotItems items(long sequence) {
    return () -> new SnapshotFormat.Reader(disk, path(sequence), sequence);
  }

  /**
   * Writes a snapshot durably, item by item, then deletes what it and the one before make needless.
   *
   * @throws IOException if the disk refuses, or the items cannot be made, for want of memory too;
   *     the message says at which. All that was there before still is
   * @return the items as they lie on the disk, for as long as no two newer snapshots do
   */
  public SnapshotItems write(long sequence, SnapshotItems items) throws IOException {
    Path file = path(sequence);
    Path temporary = file.resolveSibling(file.getFileName() + SegmentDirectory.TEMPORARY);
    String place = "before its first item";
    boolean done = false;
    try (JournalDiskFile out = disk.create(temporary)) {
      SnapshotFormat.Writer writer = new SnapshotFormat.Writer(out, sequence);
      try {
        items.into(writer);
        writer.finish();
      } finally {
        place = writer.place();
      }
      disk.rename(temporary, file);
      disk.syncDirectory(directory);
      done = true;
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      throw new IOException(file + ": " + place + ": " + said(e), e);
    } finally {
      if (!done) {
        disk.delete(temporary);
      }
    }
    deleteNeedless();
    return items(sequence);
  }

  private static String said(Throwable failure) {
    return failure instanceof IOException
        ? String.valueOf(failure.getMessage())
        : failure.toString();
  }

  /**
   * Keeps the records from that one on, also those that snapshots make needless. At first none is
   * kept for that.
   */
  public void keepFrom(long sequence) {
    keepFrom = sequence;
  }

  private void deleteNeedless() throws IOException {
    List<Long> kept = SegmentDirectory.numbers(disk.list(directory), PREFIX).reversed();
    if (kept.size() < KEPT) {
      return; // the only fallback from this one is the journal from its first record
    }
    for (long sequence : kept.subList(KEPT, kept.size())) {
      disk.delete(path(sequence));
    }
    long covered = Math.min(kept.get(KEPT - 1), keepFrom - 1);
    List<Long> firsts = segments.list();
    for (int i = 0; i + 1 < firsts.size(); i++) {
      // Oldest first, so that a crash in between leaves no hole.
      if (firsts.get(i + 1) <= covered + 1) {
        disk.delete(segments.path(firsts.get(i)));
      }
    }
  }
}
