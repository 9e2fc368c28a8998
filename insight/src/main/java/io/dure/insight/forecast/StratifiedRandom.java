package io.dure.insight.forecast;

/**
 * Numbers between 0 and 1 that follow from a seed, a future's number and a job's id alone, so that
 * it does not matter in which order they are asked for. Of one job the numbers of all futures are
 * spread evenly; those of two jobs have nothing to do with each other.
 *
 * @param futures a prime number
 */
record StratifiedRandom(long seed, int futures) {
  /** The number of a job in a future. */
  double of(int future, int job) {
    long own = mix(seed ^ mix(job));
    int step = 1 + (int) Long.remainderUnsigned(own, futures - 1);
    int shift = (int) Long.remainderUnsigned(mix(own), futures);
    int place = (int) (((long) step * future + shift) % futures);
    return (place + part(mix(own + future))) / futures;
  }

  /** A number of a future as a whole. */
  double of(int future) {
    return part(mix(seed + mix(future + 1L)));
  }

  private static double part(long bits) {
    return (bits >>> 11) * 0x1.0p-53;
  }

  /** SplitMix64's finalizer (Steele, Lea and Flood 2014). */
  private static long mix(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
