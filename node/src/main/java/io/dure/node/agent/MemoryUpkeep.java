package io.dure.node.agent;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When the daemon gives back what its work has left in memory: once it has had nothing to do for
 * some seconds, and in between where work does not end or the heap has grown much. One thread.
 */
final class MemoryUpkeep {
  private static final Duration QUIET = Duration.ofSeconds(3);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final long MOST_GROWTH = 3L << 20;

  /** When something was done first since memory was given back; null for not at all. */
  private @Nullable Instant first;

  private Instant last = Instant.EPOCH;

  /** The least since then. */
  private long heap = Long.MAX_VALUE;

  /** The daemon has something to do. */
  void worked(Instant now) {
    if (first == null) {
      first = now;
    }
    last = now;
  }

  /**
   * Whether memory is to be given back now; then it counts as done.
   *
   * @param heapBytes what the heap takes now
   */
  boolean isDue(Instant now, long heapBytes) {
    heap = Math.min(heap, heapBytes);
    Instant due = due();
    if (due == null || now.isBefore(due) && heapBytes - heap < MOST_GROWTH) {
      return false;
    }
    first = null;
    heap = Long.MAX_VALUE;
    return true;
  }

  /** When it is due unless more is to be done before; null for never. */
  @Nullable Instant due() {
    Instant begun = first;
    if (begun == null) {
      return null;
    }
    Instant quiet = last.plus(QUIET);
    Instant latest = begun.plus(LONGEST);
    return quiet.isBefore(latest) ? quiet : latest;
  }
}
