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

  private final AppendQueue queue;
  private final Spare spare;
  private final JournalListener listener;
  private final Duration retryDelay;
  private final long roundBytes;
  private OpenSegment segment;

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
    List<Batch> round = List.of();
    try {
      for (round = queue.take(roundBytes); !round.isEmpty(); round = queue.take(roundBytes)) {
        if (!write(round)) {
          queue.end(round, new IOException("the journal was closed while the disk refused writes"));
          return;
        }
        queue.durable(round);
      }
      queue.end(List.of(), new IOException("the journal is closed"));
    } catch (RuntimeException | Error e) {
      queue.end(round, e);
      listener.stopped(e);
    } finally {
      closeSegment();
    }
  }

  /** True once the round is durable, false if the journal closes before. */
  private boolean write(List<Batch> round) {
    long bytes = 0;
    for (Batch batch : round) {
      bytes += batch.bytes();
    }
    if (bytes == 0) {
      return true;
    }
    try {
      if (!segment.fits(bytes)) {
        segment.close();
        segment = spare.next(round.getFirst().first(), bytes);
      }
      segment.write(round);
      if (segment.halfFull()) {
        spare.prepare();
      }
      return true;
    } catch (IOException e) {
      listener.failed(e);
    }
    boolean open = true;
    while (open) {
      open = queue.pause(retryDelay); // closing allows one last attempt
      if (rewrite(round, bytes)) {
        listener.healed();
        return true;
      }
    }
    return false;
  }

  /** Writes the round into a fresh segment; false if the disk refuses again. */
  private boolean rewrite(List<Batch> round, long bytes) {
    closeSegment();
    try {
      segment = spare.next(round.getFirst().first(), bytes);
      segment.write(round);
      return true;
    } catch (IOException e) {
      return false; // the first refusal was told; the next attempt follows
    }
  }

  private void closeSegment() {
    try {
      segment.close();
    } catch (IOException e) {
      // All that counts in it was synced before; what was not goes to the next one.
    }
  }
}
