package io.dure.controller.journal;

import io.dure.controller.journal.AppendQueue.Batch;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The journal's thread: takes what waits, writes it as one round, syncs, acknowledges. When the
 * disk refuses, it keeps the round and writes it again into a fresh segment until that is durable:
 * after a failed sync nobody knows what the old file holds, and recovery reads the newer segment
 * where two overlap.
 */
final class RoundWriter implements Runnable {
  private static final long MOST_ROUND_BYTES = 4L * 1024 * 1024;

  /**
   * Without a batch for so long, the journal is at rest; a busy one proves itself by its rounds.
   */
  private static final long REST_NANOS = 1_000_000;

  private final AppendQueue queue;
  private final Spare spare;
  private final JournalListener listener;
  private final Duration retryDelay;
  private final long roundBytes;
  private OpenSegment segment;
  private List<Batch> round = List.of();
  private boolean refused;

  RoundWriter(
      AppendQueue queue,
      Spare spare,
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
      for (round = take(); !round.isEmpty(); round = take()) {
        boolean open = true;
        while (!attempt()) {
          if (!open) {
            queue.end(
                round, new IOException("the journal was closed while the disk refused writes"));
            return;
          }
          open = queue.pause(retryDelay); // closing allows one last attempt
        }
      }
      segment.mark();
      segment.syncMark();
      queue.end(List.of(), new IOException("the journal is closed"));
    } catch (RuntimeException | Error e) {
      queue.end(round, e);
      listener.stopped(e);
    } finally {
      closeSegment();
    }
  }

  /**
   * Writes what waits as one round, or the round that the disk refused once more; nothing if
   * nothing waits. For whoever steps the journal instead of running it.
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

  /** The next round; while none comes, the last one is marked. None when closed and drained. */
  private List<Batch> take() {
    List<Batch> next = queue.takeWithin(roundBytes, REST_NANOS);
    if (next.isEmpty()) {
      segment.mark();
      next = queue.take(roundBytes);
    }
    return next;
  }

  /** Writes the round; true once it is durable and told, false if the disk refuses. */
  private boolean attempt() {
    boolean done = refused ? rewrite() : write();
    if (done && refused) {
      listener.healed();
    }
    refused = !done;
    if (done) {
      queue.durable(round);
      round = List.of();
    }
    return done;
  }

  private long bytes() {
    long bytes = 0;
    for (Batch batch : round) {
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
