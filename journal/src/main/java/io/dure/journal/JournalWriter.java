package io.dure.journal;

import io.dure.journal.segment.AppendBatch;
import io.dure.journal.segment.OpenSegment;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The journal's thread: takes what waits, writes it as one round, syncs, acknowledges. Another may
 * do that in its stead, if it had to wait for it anyway ({@link #help}). When the disk refuses, it
 * keeps the round and writes it again into a fresh segment until that is durable: after a failed
 * sync it is unknown what the old file holds, and recovery reads the newer segment where two
 * overlap.
 */
final class JournalWriter implements Runnable {
  private static final long MOST_ROUND_BYTES = 4L * 1024 * 1024;

  /**
   * Without a round for so long, the journal is at rest; a busy one proves itself by its rounds.
   */
  private static final long REST_NANOS = 5_000_000;

  private final AppendQueue queue;
  private final SpareSegment spare;
  private final JournalListener listener;
  private final Duration retryDelay;
  private final long roundBytes;

  /** Held by the writing thread: the journal's, or one that would only wait for it. */
  private final ReentrantLock turn = new ReentrantLock();

  private OpenSegment segment; // this and what follows are guarded by turn
  private List<AppendBatch> round = List.of();
  private boolean refused;
  private long rounds;

  /** Whether the last round is marked and the thread waits until it is woken. */
  private boolean resting = true;

  JournalWriter(
      AppendQueue queue,
      SpareSegment spare,
      OpenSegment segment,
      JournalSettings settings,
      JournalListener listener) {
    this.queue = queue;
    this.spare = spare;
    this.segment = segment;
    this.listener = listener;
    retryDelay = settings.retryDelay();
    roundBytes = Math.min(MOST_ROUND_BYTES, settings.segmentBytes() / 2);
  }

  @Override
  public void run() {
    try {
      while (queue.await()) {
        do {
          if (!insist()) {
            return;
          }
        } while (!rested());
      }
      turn.lock();
      segment.mark();
      segment.syncMark();
      queue.end(round, new IOException("the journal is closed"));
    } catch (RuntimeException | Error e) {
      turn.lock();
      queue.end(round, e);
      listener.stopped(e);
    } finally {
      closeSegment();
    }
  }

  /** Writes all that waits, also to a disk that refuses; false if it was closed meanwhile. */
  private boolean insist() {
    turn.lock();
    try {
      resting = false;
      boolean open = true;
      while (!writesAll()) {
        if (!open) {
          queue.end(round, new IOException("the journal was closed while the disk refused writes"));
          return false;
        }
        open = queue.pause(retryDelay); // closing allows one last attempt
      }
      return true;
    } finally {
      turn.unlock();
    }
  }

  private void take() {
    if (round.isEmpty()) {
      round = queue.takeNow(roundBytes);
    }
  }

  /** Waits until nothing was written for a while, and marks the last round; false if more comes. */
  private boolean rested() {
    long seen = -1;
    while (true) {
      turn.lock();
      try {
        if (seen == rounds) {
          segment.mark();
          resting = true;
          return true;
        }
        seen = rounds;
      } finally {
        turn.unlock();
      }
      if (queue.awaitWithin(REST_NANOS)) {
        return false;
      }
    }
  }

  /**
   * Writes what waits on the thread that calls, unless another is at it. What is not written then
   * is by the journal's thread.
   */
  void help() {
    if (turn.tryLock()) {
      try {
        if (!refused && round.isEmpty() && writesAll()) {
          if (!resting) {
            return; // the thread looks by itself
          }
          resting = false;
        }
      } catch (RuntimeException | Error e) {
        queue.end(round, e);
        round = List.of();
        listener.stopped(e);
        throw e;
      } finally {
        turn.unlock();
      }
    }
    queue.wake();
  }

  /** Writes all that waits; false if the disk refuses. */
  private boolean writesAll() {
    for (take(); !round.isEmpty(); take()) {
      if (!attempt()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Writes what waits as one round, or the round that the disk refused once more; nothing if
   * nothing waits. For callers that step the journal instead of running it.
   *
   * @return false if the disk refuses
   */
  boolean step() {
    if (round.isEmpty()) {
      round = queue.takeNow(roundBytes);
    }
    boolean done = round.isEmpty() || attempt();
    if (done && queue.isEmpty()) {
      segment.mark();
    }
    return done;
  }

  /** Writes the round; true once it is durable and told, false if the disk refuses. */
  private boolean attempt() {
    boolean done = refused ? rewrite() : write();
    if (done && refused) {
      listener.healed();
    }
    refused = !done;
    if (done) {
      rounds++;
      queue.durable(round);
      round = List.of();
    }
    return done;
  }

  private long bytes() {
    long bytes = 0;
    for (AppendBatch batch : round) {
      bytes += batch.bytes();
    }
    return bytes;
  }

  /** The first attempt; false if the disk refuses, which is told. */
  private boolean write() {
    long bytes = bytes();
    if (bytes == 0) {
      return true;
    }
    try {
      if (!segment.fits(bytes)) {
        moveOn(bytes);
      }
      segment.write(round);
      if (segment.halfFull()) {
        spare.prepare();
      }
      return true;
    } catch (IOException e) {
      listener.failed(e);
      return false;
    }
  }

  /** Writes the round into a fresh segment; false if the disk refuses again. */
  private boolean rewrite() {
    try {
      moveOn(bytes());
      segment.write(round);
      return true;
    } catch (IOException e) {
      return false; // the first refusal was told; the next attempt follows
    }
  }

  /** Leaves the segment for the next one, once that is made: until then it stays as it is. */
  private void moveOn(long bytes) throws IOException {
    OpenSegment next = spare.next(round.getFirst().first(), bytes);
    segment.goesOn();
    closeSegment();
    segment = next;
  }

  private void closeSegment() {
    try {
      segment.close();
    } catch (IOException e) {
      // All that counts in it was synced before; what was not goes to the next one.
    }
  }
}
