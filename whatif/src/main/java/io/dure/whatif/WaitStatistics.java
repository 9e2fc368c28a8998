package io.dure.whatif;

import java.util.Arrays;
import java.util.List;

/**
 * What some jobs went through. Who has not started by the end of the time that is looked at counts
 * with the wait so far.
 *
 * @param jobs how many there are
 * @param started how many of them started
 * @param mean mean wait, seconds
 * @param median a wait that half of them did not exceed
 * @param p90 a wait that nine of ten did not exceed
 * @param longest the longest wait
 * @param slowdown mean bounded slowdown
 */
record WaitStatistics(
    int jobs,
    int started,
    double mean,
    double median,
    double p90,
    double longest,
    double slowdown) {

  /** Of those jobs, looked at until a second. */
  static WaitStatistics of(List<WhatIfJobResult> fates, long end) {
    if (fates.isEmpty()) {
      return new WaitStatistics(0, 0, 0, 0, 0, 0, 0);
    }
    double[] waits = fates.stream().mapToDouble(fate -> fate.waited(end)).sorted().toArray();
    int started = 0;
    double slowdown = 0;
    for (WhatIfJobResult fate : fates) {
      started += fate.startedBy(end) ? 1 : 0;
      slowdown += fate.slowdown(end) / fates.size();
    }
    return new WaitStatistics(
        waits.length,
        started,
        Arrays.stream(waits).sum() / waits.length,
        quantile(waits, 0.5),
        quantile(waits, 0.9),
        waits[waits.length - 1],
        slowdown);
  }

  /** The smallest value that this part of all does not exceed. */
  private static double quantile(double[] sorted, double part) {
    return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
  }
}
