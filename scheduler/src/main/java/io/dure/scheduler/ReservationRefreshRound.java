package io.dure.scheduler;

import org.jspecify.annotations.Nullable;

/** How far the passes have come in looking at all promises again. One thread. */
final class ReservationRefreshRound {
  private final long interval;
  private long began = Long.MIN_VALUE;
  private boolean open;

  /** The last whose promise was looked at in this round. */
  private @Nullable PartitionQueueEntry reached;

  /** Whether a job was not promised anything in the last pass because there was no time. */
  private boolean owes;

  private boolean owed;
  private long promises;
  private long freed = -1;
  private boolean denied;

  /** A round in each interval of so many seconds. */
  ReservationRefreshRound(long interval) {
    this.interval = interval;
  }

  /** A pass begins. */
  void begin(long now) {
    owed = owes;
    owes = false;
    denied = false;
    if (!open && (began == Long.MIN_VALUE || now - began >= interval)) {
      open = began != Long.MIN_VALUE;
      began = now;
      reached = null;
    }
  }

  /** Whether the promise of that job is to be looked at in this pass, if there is time. */
  boolean reaches(PartitionQueueEntry entry) {
    return open && !owed && (reached == null || entry.compareTo(reached) > 0);
  }

  /** It was. */
  void renewed(PartitionQueueEntry entry) {
    reached = entry.mark();
  }

  /** There was no time to look at a promise. */
  void deny() {
    denied = true;
  }

  /** There was no time to promise anything to a job. */
  void owe() {
    owes = true;
  }

  /**
   * Whether anything has become free since this was last asked.
   *
   * @param end where the log of what became free ends now
   */
  boolean sawFreed(long end) {
    boolean more = end != freed;
    freed = end;
    return more;
  }

  /** A number that no other promise has. */
  long newPromise() {
    return ++promises;
  }

  /** A pass ends: true if another one has more to do even if nothing changes. */
  boolean end() {
    open &= denied || owed;
    return open || owes;
  }
}
