package io.dure.journal;

import io.dure.journal.segment.SegmentDirectory;
import io.dure.journal.segment.SnapshotDirectory;
import io.dure.journal.segment.SnapshotItems;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An append-only journal of byte records with snapshots, in one directory of one process
 * (docs/decisions/0008). What it acknowledged survives any crash at any moment. Batches that arrive
 * while the disk is busy share the next sync.
 */
public final class Journal implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final AppendQueue queue;
  private final SegmentDirectory segments;
  private final SnapshotDirectory snapshots;
  private final ReentrantLock snapshotLock = new ReentrantLock();
  private final JournalWriter writer;
  private final @Nullable Thread thread;
  private final SpareSegment spare;
  private final Closeable directoryLock;
  private final JournalRecovery.Inspection inspection;
  private volatile boolean closing; // and stays so once it is closed

  Journal(
      AppendQueue queue,
      JournalWriter writer,
      JournalWorkers workers,
      SpareSegment spare,
      Closeable directoryLock,
      JournalRecovery.Inspection inspection) {
    this.queue = queue;
    segments = inspection.segments();
    snapshots = inspection.snapshots();
    this.writer = writer;
    this.thread = workers == JournalWorkers.THREADS ? workers.start("journal", writer) : null;
    this.spare = spare;
    this.directoryLock = directoryLock;
    this.inspection = inspection;
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
      return closing ? List.of() : inspection.lines();
    } finally {
      snapshotLock.unlock();
    }
  }

  void tellDecay(JournalListener listener) {
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
   * @param items the state, made item by item while it is written
   * @throws IOException if the disk refuses, the items cannot be made or the journal closes; the
   *     message says which, and earlier snapshots and records are then all still there
   * @return the state as it lies on the disk, to be read for as long as no two newer ones do
   */
  public SnapshotItems snapshot(long sequence, SnapshotItems items)
      throws IOException, InterruptedException {
    queue.awaitDurable(sequence);
    snapshotLock.lockInterruptibly();
    try {
      if (closing) {
        throw new IOException("the journal is closed");
      }
      return snapshots.write(sequence, unlessClosing(items));
    } finally {
      snapshotLock.unlock();
    }
  }

  /** The same items, until the journal closes: a large state takes minutes to write. */
  private SnapshotItems unlessClosing(SnapshotItems items) {
    return () -> {
      SnapshotItems.Reader all = items.open();
      return () -> {
        if (closing) {
          throw new IOException("the journal closes");
        }
        return all.next();
      };
    };
  }

  /**
   * Keeps the records from that one on, also those that snapshots make needless; until then each
   * snapshot deletes all that it may. Any thread.
   */
  public void keepFrom(long sequence) {
    snapshots.keepFrom(sequence);
  }

  /**
   * Waits until that record is durable.
   *
   * @throws IOException if the journal ends before
   */
  public void awaitDurable(long sequence) throws IOException, InterruptedException {
    queue.awaitDurable(sequence);
  }

  /** The first record of each file that is there, rising; at least one. Any thread. */
  public List<Long> fileStarts() throws IOException {
    return segments.list();
  }

  /**
   * Reads the records behind that one, which must still be there, and goes on as more become
   * durable. Any thread; {@link #keepFrom} keeps what it has not read.
   */
  public JournalFollower follow(long after) {
    return new JournalFollower(segments, queue::lastDurable, after);
  }

  /** The same with a state that is one item. */
  public void snapshot(long sequence, byte[] state) throws IOException, InterruptedException {
    var _ = snapshot(sequence, SnapshotItems.of(state));
  }

  /**
   * Writes what waits, unless the disk refuses, and ends. Waits for that, half a minute at most. A
   * snapshot in progress is given up: the records have all of it. Closing twice is harmless.
   *
   * @throws IOException if the disk does not answer; no other process may open the directory then
   *     before this process has ended
   */
  @Override
  public void close() throws IOException {
    closing = true;
    queue.close();
    if (thread == null) {
      writer.run();
    } else if (!inTime(nanos -> thread.join(Duration.ofNanos(nanos)))) {
      throw new IOException("the journal did not close: its disk does not respond");
    }
    // A snapshot in progress removes what it has written.
    if (!inTime(nanos -> snapshotLock.tryLock(nanos, TimeUnit.NANOSECONDS))) {
      throw new IOException("a snapshot did not finish: its disk does not respond");
    }
    try {
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
