package io.dure.controller.loop;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Spreads a work that is done again and again evenly over {@link #LENGTH}, by how much it was the
 * time before: whoever else computes on the machine feels half a processor less than a whole one.
 * One thread.
 */
final class EvenWork {
  /** How long a work takes that is spread, if a processor is enough for that. */
  static final Duration LENGTH = Duration.ofSeconds(25);

  /** What is less is done at once. */
  private static final Duration AT_ONCE = Duration.ofSeconds(1);

  /**
   * As long as it goes on before it rests. Linux lets who wakes have a processor for a moment even
   * if his policy is to wait for all others: with ten stretches a second, not two, those took twice
   * as long that wanted one for a millisecond.
   */
  private static final long STRETCH = Duration.ofMillis(500).toNanos();

  /** What others took from it beyond its rest is made up for as far as that. */
  private static final long MOST_LATE = Duration.ofMillis(100).toNanos();

  /** Who has taken so many times as long for want of a processor rests no more. */
  private static final int TOO_LATE = 2;

  /** What is so much more than the time before was not foreseen, and gets all there is. */
  private static final double MORE = 1.1;

  private static final double PERCENT = 100;

  private final LongSupplier clock;
  private final LongSupplier work;
  private double pace = 1;
  private long last;
  private long began;
  private long workBefore;
  private long worked;

  /** When so much of it would be done at that pace. */
  private long due;

  /** The end of the last rest. */
  private long since;

  /**
   * A work that nobody has done yet.
   *
   * @param clock nanoseconds that have passed since some time
   * @param work nanoseconds for which processors were busy with it since some time
   */
  EvenWork(LongSupplier clock, LongSupplier work) {
    this.clock = clock;
    this.work = work;
  }

  /**
   * It begins once more.
   *
   * @param share the percentage of a processor that it may have in any case
   */
  void begin(int share) {
    double needed = (double) last / LENGTH.toNanos();
    pace = last <= AT_ONCE.toNanos() ? 1 : Math.min(1, Math.max(needed, share / PERCENT));
    began = clock.getAsLong();
    due = began;
    since = began;
    workBefore = work.getAsLong();
    worked = 0;
  }

  /** How many nanoseconds to rest before it goes on. */
  long rest() {
    long now = clock.getAsLong();
    if (pace == 1 || now - since < STRETCH) {
      return 0;
    }
    long sum = work.getAsLong() - workBefore;
    due = Math.max(due + (long) ((sum - worked) / pace), now - MOST_LATE);
    worked = sum;
    since = Math.max(now, due);
    boolean isLate = now - began > TOO_LATE * LENGTH.toNanos() || sum > MORE * last;
    return isLate ? 0 : since - now;
  }

  /** It is done: how long processors were busy with it. */
  Duration end() {
    last = work.getAsLong() - workBefore;
    return Duration.ofNanos(last);
  }
}
