package io.dure.twin.report;

import java.util.Arrays;
import java.util.List;

/**
 * How values are spread.
 *
 * @param mean their mean
 * @param p99 the smallest value that 99 of 100 do not exceed
 * @param max the largest
 */
public record DistributionSummary(double mean, double p99, double max) {
  /** Of no values. */
  static final DistributionSummary NONE = new DistributionSummary(0, 0, 0);

  private static final double RANK = 0.99;

  static DistributionSummary of(double[] values) {
    if (values.length == 0) {
      return NONE;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double sum = 0;
    for (double value : sorted) {
      sum += value;
    }
    int rank = (int) Math.ceil(RANK * sorted.length) - 1;
    return new DistributionSummary(sum / sorted.length, sorted[rank], sorted[sorted.length - 1]);
  }

  /** Of several replays: the means of their means and of their p99, the largest of all. */
  static DistributionSummary meanOf(List<DistributionSummary> several) {
    double mean = 0;
    double p99 = 0;
    double max = 0;
    for (DistributionSummary one : several) {
      mean += one.mean / several.size();
      p99 += one.p99 / several.size();
      max = Math.max(max, one.max);
    }
    return new DistributionSummary(mean, p99, max);
  }
}
