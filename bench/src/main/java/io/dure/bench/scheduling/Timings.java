package io.dure.bench.scheduling;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/** How long the same thing took again and again. One thread. */
final class Timings {
  private long[] begins = new long[64];
  private long[] nanos = new long[64];
  private int count;

  /** Does it, and notes how long it took. */
  <T> T time(Supplier<T> work) {
    long began = System.nanoTime();
    T made = work.get();
    add(began, System.nanoTime() - began);
    return made;
  }

  /**
   * Notes how long it took.
   *
   * @param began as {@link System#nanoTime} counts
   * @param took nanoseconds
   */
  void add(long began, long took) {
    if (count == nanos.length) {
      begins = Arrays.copyOf(begins, 2 * count);
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    begins[count] = began;
    nanos[count++] = took;
  }

  /** Those that began within a stretch of time: what was so slow that it ended later is its own. */
  Timings within(ProcessAlternator.Turn turn) {
    Timings some = new Timings();
    for (int i = 0; i < count; i++) {
      if (begins[i] - turn.from() >= 0 && begins[i] - turn.until() < 0) {
        some.add(begins[i], nanos[i]);
      }
    }
    return some;
  }

  /** All of these as one. */
  static Timings of(List<Timings> all) {
    Timings sum = new Timings();
    for (Timings one : all) {
      for (int i = 0; i < one.count; i++) {
        sum.add(one.begins[i], one.nanos[i]);
      }
    }
    return sum;
  }

  /** How often it was done. */
  int count() {
    return count;
  }

  /** Milliseconds of all together. */
  double total() {
    return Arrays.stream(nanos, 0, count).sum() / 1e6;
  }

  /** Milliseconds that a share of all took at most; 0 if there are none. */
  double quantile(double share) {
    if (count == 0) {
      return 0;
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return sorted[(int) Math.min(count - 1, (long) (share * count))] / 1e6;
  }
}
