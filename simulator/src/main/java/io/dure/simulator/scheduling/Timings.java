package io.dure.simulator.scheduling;

import java.util.Arrays;
import java.util.function.Supplier;

/** How long the same thing took again and again. One thread. */
final class Timings {
  private long[] nanos = new long[64];
  private int count;

  /** Does it, and notes how long it took. */
  <T> T time(Supplier<T> work) {
    long began = System.nanoTime();
    T made = work.get();
    add(System.nanoTime() - began);
    return made;
  }

  void add(long took) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = took;
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
