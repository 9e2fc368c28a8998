package io.dure.controller.loop;

import io.dure.controller.replica.NotKeptException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The wait for room in a store. Whoever is interrupted in it gives up for good: what was decided
 * after a batch that is not stored must not be stored either. The state loop's thread.
 */
final class StoreRoom {
  private static final long CHECK_NANOS = 10_000_000;

  private boolean givenUp;

  /** What it is that a batch without room fails with. */
  static NotKeptException stopping() {
    return new NotKeptException("the controller is stopping", null);
  }

  /** Waits until there is room; false if the thread was interrupted, now or before. */
  boolean await(BooleanSupplier accepting) {
    while (!givenUp && !accepting.getAsBoolean()) {
      if (Thread.currentThread().isInterrupted()) {
        givenUp = true;
      }
      LockSupport.parkNanos(CHECK_NANOS);
    }
    return !givenUp;
  }
}
