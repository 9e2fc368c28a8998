package io.dure.rest.metrics;

import io.dure.rest.RestFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What takes a while to make: made anew once it is older than an age, and than ten times as long as
 * it took to make, however many threads ask. Others wait while one makes it. Any thread.
 */
final class FreshValue<T> {
  private static final int PAUSE = 10;

  private final long ageNanos;
  private final LongSupplier nanos;
  private final Maker<T> maker;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable T value; // this and what follows are guarded by the lock
  private long until;

  /** Makes a value. */
  interface Maker<T> {
    T make() throws RestFailure, IOException, InterruptedException;
  }

  /**
   * None as yet.
   *
   * @param nanos a clock of nanoseconds, from any beginning
   */
  FreshValue(Duration age, LongSupplier nanos, Maker<T> maker) {
    ageNanos = age.toNanos();
    this.nanos = nanos;
    this.maker = maker;
  }

  /**
   * The value; one that could not be made is tried again by the next that asks.
   *
   * @throws RestFailure if the controller refuses
   * @throws IOException if the controller cannot be reached
   */
  T get() throws RestFailure, IOException, InterruptedException {
    lock.lockInterruptibly();
    try {
      long began = nanos.getAsLong();
      T known = value;
      if (known == null || began - until >= 0) {
        known = maker.make();
        long done = nanos.getAsLong();
        value = known;
        until = done + Math.max(ageNanos, PAUSE * (done - began));
      }
      return known;
    } finally {
      lock.unlock();
    }
  }
}
