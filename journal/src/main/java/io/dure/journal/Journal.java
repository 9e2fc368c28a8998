package io.dure.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An append-only journal of byte records with snapshots, in one directory of one process
 * (docs/decisions/0008). What it acknowledged survives any crash at any moment. Batches that arrive
 * while the disk is busy share the next sync.
 */
public final class Journal implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final AppendQueue queue;
  private final SnapshotDirectory snapshots;
  private final ReentrantLock snapshotLock = new ReentrantLock();
  private final JournalWriter writer;
  private final @Nullable Thread thread;
  private final SpareSegment spare;
  private final Closeable directoryLock;
  private final JournalRecovery.Inspection inspection;
  private boolean closed; // guarded by snapshotLock

  /** Runs what the journal does beside its callers. */
  enum Workers {
    /** Threads of the journal's own. */
    THREADS {
      @Override
      Thread start(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(work);
      }
    },
    /** The one that calls, so that everything happens in one order. */
    CALLER {
      @Override
      @Nullable Thread start(String name, Runnable work) {
        work.run();
        return null;
      }
    };

    /** Has work done, by a thread of that name or before this returns: null then. */
    abstract @Nullable Thread start(String name, Runnable work);
  }

  private Journal(
      AppendQueue queue,
      JournalWriter writer,
      Workers workers,
      SpareSegment spare,
      Closeable directoryLock,
      JournalRecovery.Inspection inspection) {
    this.queue = queue;
    snapshots = inspection.snapshots();
    this.writer = writer;
    this.thread = workers == Workers.THREADS ? workers.start("journal", writer) : null;
    this.spare = spare;
    this.directoryLock = directoryLock;
    this.inspection = inspection;
  }

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
        open(disk, directory, settings, listener, Workers.THREADS, random::nextLong);
    Journal journal = found.journal();
    Workers.THREADS.start("journal-inspection", () -> journal.tellDecay(listener));
    return found;
  }

  /**
   * Opens a journal that has no thread: it writes when {@link #step} is called. One thread calls
   * all its methods.
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
    return open(disk, directory, settings, listener, Workers.CALLER, salts);
  }

  private static RecoveredJournal open(
      JournalDisk disk,
      Path directory,
      JournalSettings settings,
      JournalListener listener,
      Workers workers,
      LongSupplier salts)
      throws IOException {
    disk.createDirectory(directory);
    Closeable directoryLock = disk.lock(directory);
    boolean done = false;
    try {
      SegmentDirectory segments =
          new SegmentDirectory(disk, directory, settings.segmentBytes(), salts);
      SnapshotDirectory snapshots = new SnapshotDirectory(disk, directory, segments);
      JournalRecovery.Result found =
          new JournalRecovery(disk, directory, segments).recover(snapshots);
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
          snapshot == null ? null : snapshot.state(),
          newest,
          found.records(),
          found.notes());
    } finally {
      if (!done) {
        directoryLock.close();
      }
    }
  }

  /**
   * Appends records that are kept together or not at all, and returns at once. The arrays must not
   * change afterwards. Any thread; the order of calls is the order of records.
   *
   * @param batch payloads of at most 256 MiB each, 512 MiB together; an empty batch only waits for
   *     those before it
   * @return completes with the sequence of the last record once all are durable, on the journal's
   *     thread: hand over from there, do not work there. Completes exceptionally only if the
   *     journal is closed or ends before; whether the records are kept is then unknown
   * @throws JournalFullException if too much waits; nothing was taken. Not thrown after {@link
   *     #accepting} said yes to the only thread that appends
   * @throws IllegalStateException if the journal is closed
   */
  public CompletableFuture<Long> append(List<byte[]> batch) {
    return queue.add(batch, true);
  }

  /**
   * The same for a thread that calls {@link #help} before it waits: no thread is woken for the
   * batch.
   */
  public CompletableFuture<Long> put(List<byte[]> batch) {
    return queue.add(batch, false);
  }

  /**
   * Writes what waits on the thread that calls, as one round, unless another is at it or the disk
   * refuses: then the journal's thread does. A thread that would wait for a batch at once saves
   * that thread's waking.
   */
  public void help() {
    if (thread == null) {
      throw new IllegalStateException("this journal has no thread: it is stepped");
    }
    writer.help();
  }

  /**
   * Whether there is room for the next batch; false while the disk is too far behind. A journal
   * that is closed or stopped has room, so that waiting threads learn of the end.
   */
  public boolean accepting() {
    return queue.accepting();
  }

  /**
   * Writes what waits, as one round, in a journal that is stepped.
   *
   * @return false if the disk refuses: the round is kept and written again by the next step
   */
  public boolean step() {
    if (thread != null) {
      throw new IllegalStateException("this journal has a thread of its own");
    }
    return writer.step();
  }

  /**
   * Looks at what the opening had no need of: the snapshot before the newest and the records up to
   * the newest. Reads all of it, so call it from a thread that may wait.
   *
   * @return what is damaged, one line each; nothing of the present state is lost by it
   * @throws IOException if the disk refuses
   */
  public List<String> inspect() throws IOException {
    snapshotLock.lock();
    try {
      return closed ? List.of() : inspection.lines();
    } finally {
      snapshotLock.unlock();
    }
  }

  private void tellDecay(JournalListener listener) {
    try {
      inspect().forEach(listener::decayed);
    } catch (IOException e) {
      listener.decayed("older records cannot be read: " + e.getMessage());
    }
  }

  /** Sequence of the last record appended, 0 before the first. */
  public long lastAppended() {
    return queue.lastAppended();
  }

  /** Sequence of the last durable record, 0 before the first. */
  public long lastDurable() {
    return queue.lastDurable();
  }

  /**
   * Stores a state, then deletes the records that it and the snapshot before it make needless.
   * Waits until the records it includes are durable, and writes on the calling thread: call it from
   * one that may wait, while appends go on.
   *
   * @param sequence last record that the state includes
   * @throws IOException if the disk refuses or the journal closes; earlier snapshots and records
   *     are then all still there
   */
  public void snapshot(long sequence, byte[] state) throws IOException, InterruptedException {
    queue.awaitDurable(sequence);
    snapshotLock.lockInterruptibly();
    try {
      if (closed) {
        throw new IOException("the journal is closed");
      }
      snapshots.write(sequence, state);
    } finally {
      snapshotLock.unlock();
    }
  }

  /**
   * Writes what waits, unless the disk refuses, and ends. Waits for that, half a minute at most.
   * Closing twice is harmless.
   *
   * @throws IOException if the disk does not answer; no other process may open the directory then
   *     before this process has ended
   */
  @Override
  public void close() throws IOException {
    queue.close();
    if (thread == null) {
      writer.run();
    } else if (!inTime(nanos -> thread.join(Duration.ofNanos(nanos)))) {
      throw new IOException("the journal did not close: its disk does not respond");
    }
    // A snapshot in progress ends first.
    if (!inTime(nanos -> snapshotLock.tryLock(nanos, TimeUnit.NANOSECONDS))) {
      throw new IOException("a snapshot did not finish: its disk does not respond");
    }
    try {
      closed = true;
      spare.close();
      directoryLock.close();
    } finally {
      snapshotLock.unlock();
    }
  }

  private interface Wait {
    /** True if what is waited for came within so many nanoseconds. */
    boolean within(long nanos) throws InterruptedException;
  }

  /** Waits, also when interrupted, but not for ever. */
  private static boolean inTime(Wait wait) {
    boolean interrupted = false;
    long end = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (true) {
        try {
          return wait.within(Math.max(1, end - System.nanoTime()));
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
