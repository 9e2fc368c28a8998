package io.dure.journal;

import io.dure.journal.segment.JournalDisk;
import io.dure.journal.segment.LocalJournalDisk;
import io.dure.journal.segment.SegmentDirectory;
import io.dure.journal.segment.SnapshotDirectory;
import io.dure.journal.segment.SnapshotItems;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An opened journal and what it held.
 *
 * @param journal ready for appends
 * @param snapshot state as of {@code snapshotSequence}, null where there is none; read from disk as
 *     the records are
 * @param snapshotSequence last record that the snapshot includes, 0 without one
 * @param records those after the snapshot, in order; read from disk as they are iterated, so
 *     iterate before the first {@link Journal#snapshot}. A read error is thrown as {@link
 *     java.io.UncheckedIOException}
 * @param notes what recovery did that an administrator should see, one line each
 * @param damagedSnapshots sequences of the snapshots that were found damaged, at this opening or an
 *     earlier one. Whoever stores a snapshot of what its records do not hold has lost it with such
 *     a snapshot
 * @param origin whether the files are those that the journal wrote; to be renewed by the caller
 *     once it has taken what was found for its own
 */
public record RecoveredJournal(
    Journal journal,
    @Nullable SnapshotItems snapshot,
    long snapshotSequence,
    Iterable<JournalRecord> records,
    List<String> notes,
    Set<Long> damagedSnapshots,
    JournalOrigin origin) {
  /**
   * Opens the journal in a directory, which is made if it is not there, and reads what it holds.
   *
   * @throws JournalRefusedException if it is damaged, incomplete, of a newer format or in use; it
   *     is left as it was
   * @throws IOException if the disk refuses
   */
  public static RecoveredJournal open(
      Path directory, JournalSettings settings, JournalListener listener) throws IOException {
    return open(new LocalJournalDisk(), directory, settings, listener);
  }

  static RecoveredJournal open(
      JournalDisk disk, Path directory, JournalSettings settings, JournalListener listener)
      throws IOException {
    SecureRandom random = new SecureRandom();
    RecoveredJournal found =
        open(disk, directory, settings, listener, JournalWorkers.THREADS, random::nextLong);
    Journal journal = found.journal();
    JournalWorkers.THREADS.start("journal-inspection", () -> journal.tellDecay(listener));
    return found;
  }

  /**
   * Opens a journal that has no thread: it writes when {@link Journal#step} is called. One thread
   * calls all its methods.
   *
   * @param salts a number for each segment, a chance one
   * @throws IOException as {@link #open(Path, JournalSettings, JournalListener)} does
   */
  public static RecoveredJournal openStepped(
      JournalDisk disk,
      Path directory,
      JournalSettings settings,
      JournalListener listener,
      LongSupplier salts)
      throws IOException {
    return open(disk, directory, settings, listener, JournalWorkers.CALLER, salts);
  }

  private static RecoveredJournal open(
      JournalDisk disk,
      Path directory,
      JournalSettings settings,
      JournalListener listener,
      JournalWorkers workers,
      LongSupplier salts)
      throws IOException {
    disk.createDirectory(directory);
    Closeable directoryLock = disk.lock(directory);
    boolean done = false;
    try {
      SegmentDirectory segments =
          new SegmentDirectory(disk, directory, settings.segmentBytes(), salts);
      SnapshotDirectory snapshots = new SnapshotDirectory(disk, directory, segments);
      JournalOrigin origin = JournalOrigin.read(disk, directory, segments);
      JournalRecovery.Result found =
          new JournalRecovery(disk, directory, segments, origin).recover(snapshots);
      AppendQueue queue = new AppendQueue(settings.queueBytes(), found.last());
      SpareSegment spare = new SpareSegment(disk, segments, directory, workers);
      JournalWriter writer = new JournalWriter(queue, spare, found.segment(), settings, listener);
      SnapshotDirectory.Snapshot snapshot = found.snapshot();
      long newest = snapshot == null ? 0 : snapshot.sequence();
      JournalRecovery.Inspection inspection =
          new JournalRecovery.Inspection(disk, segments, snapshots, newest);
      Journal journal = new Journal(queue, writer, workers, spare, directoryLock, inspection);
      done = true;
      return new RecoveredJournal(
          journal,
          snapshot == null ? null : snapshot.items(),
          newest,
          found.records(),
          found.notes(),
          found.damagedSnapshots(),
          origin);
    } finally {
      if (!done) {
        directoryLock.close();
      }
    }
  }
}
