package io.dure.controller.loop;

import io.dure.controller.replica.NotCommittedException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The wait for room in a store. A thread that is interrupted in it gives up for good: what was
 * decided after a batch that is not stored must not be stored either. The state loop's thread.
 */
final class StoreBackpressure {
  private static final long CHECK_NANOS = 10_000_000;

  private boolean givenUp;
  private volatile @Nullable Thread waiting;

  /** What it is that a batch without room fails with. */
  static NotCommittedException stopping() {
    return new NotCommittedException("the controller is stopping", null);
  }

  /** Waits until there is room; false if the thread was interrupted, now or before. */
  boolean await(BooleanSupplier accepting) {
    waiting = Thread.currentThread();
    while (!givenUp && !accepting.getAsBoolean()) {
      if (Thread.currentThread().isInterrupted()) {
        givenUp = true;
      }
      LockSupport.parkNanos(CHECK_NANOS);
    }
    waiting = null;
    return !givenUp;
  }

  /** There may be room now. Any thread. */
  void look() {
    Thread thread = waiting;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
