package io.dure.insight.worker;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Spreads a periodic computation evenly over {@link #LENGTH}, by the CPU time that the previous
 * round took: other processes on the machine suffer less from half a CPU in use all the time than
 * from a whole one half of the time. One thread.
 */
final class CpuPacer {
  /** Elapsed time over which a round is spread, if one CPU is enough for that. */
  static final Duration LENGTH = Duration.ofSeconds(25);

  /** A round of less CPU time is not spread. */
  private static final Duration AT_ONCE = Duration.ofSeconds(1);

  /**
   * Time of computing between two pauses. Linux gives a thread that wakes up a CPU for a moment
   * even under SCHED_IDLE: with ten stretches a second instead of two, computations of a
   * millisecond in other processes took twice as long.
   */
  private static final long STRETCH = Duration.ofMillis(500).toNanos();

  /** Delay by other processes, beyond its own pauses, that is made up for at most. */
  private static final long MOST_LATE = Duration.ofMillis(100).toNanos();

  /** A round that has taken so many times {@link #LENGTH} pauses no more. */
  private static final int TOO_LATE = 2;

  /** A round that takes so much more CPU time than the previous one pauses no more. */
  private static final double MORE = 1.1;

  private static final double PERCENT = 100;

  private final LongSupplier clock;
  private final LongSupplier work;
  private double pace = 1;
  private long last;
  private long began;
  private long workBefore;
  private long worked;

  /** When the work done so far should have been done at that pace. */
  private long due;

  /** The end of the last pause. */
  private long since;

  /**
   * A pacer without any previous round.
   *
   * @param clock monotonic time in nanoseconds
   * @param work CPU time used by the computation, in nanoseconds
   */
  CpuPacer(LongSupplier clock, LongSupplier work) {
    this.clock = clock;
    this.work = work;
  }

  /**
   * Begins a round.
   *
   * @param share percentage of a CPU that it may always use
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

  /** Nanoseconds to pause before computing on. */
  long pause() {
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

  /** Ends a round: the CPU time that it took. */
  Duration end() {
    last = work.getAsLong() - workBefore;
    return Duration.ofNanos(last);
  }
}
