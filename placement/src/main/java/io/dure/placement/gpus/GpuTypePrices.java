package io.dure.placement.gpus;

import io.dure.model.report.GpuTaskShape;
import java.util.Arrays;
import java.util.Map;
import java.util.SequencedMap;

/**
 * How much each type of GPU is asked for by jobs that take no other: the part of the type that they
 * would fill if all requests together filled the cluster.
 */
final class GpuTypePrices {
  private GpuTypePrices() {}

  /**
   * A price for each type, from 0 for one that no job names to 1 for one that is gone by jobs that
   * name it.
   *
   * @param counts how often each shape is asked for
   * @param gpus how many GPUs there are of each type
   */
  static double[] of(SequencedMap<GpuTaskShape, Double> counts, long[] gpus) {
    double[] named = new double[gpus.length];
    double all = 0;
    for (Map.Entry<GpuTaskShape, Double> one : counts.entrySet()) {
      GpuTaskShape shape = one.getKey();
      double asked = one.getValue() * shape.gpuMilli();
      all += asked;
      long those = 0;
      for (int type = 0; type < gpus.length; type++) {
        those += shape.takes(type) ? gpus[type] : 0;
      }
      if (those == Arrays.stream(gpus).sum() || those == 0) {
        continue;
      }
      for (int type = 0; type < gpus.length; type++) {
        named[type] += shape.takes(type) ? asked * gpus[type] / those : 0;
      }
    }
    double capacity = Arrays.stream(gpus).sum();
    double[] prices = new double[gpus.length];
    for (int type = 0; type < gpus.length; type++) {
      prices[type] =
          gpus[type] == 0 || all == 0 ? 0 : Math.min(1, named[type] / all * capacity / gpus[type]);
    }
    return prices;
  }
}
