package io.dure.placement.gpus;

import io.dure.model.report.GpuTaskShape;
import java.util.Map;
import java.util.SequencedMap;

/**
 * What it costs those to come that a task lies on a node: the GPUs that become useless to them, and
 * a price where the type is scarce, or the node one of the last whole ones. One thread.
 */
public final class GpuPlacementCost implements GpuCostFunction {
  private final GpuFragmentation fragments;
  private final double[] prices;
  private final GpuCostWeights weights;

  /** Of all GPUs, the part that is asked for by so many of a node at a time. */
  private final double[] together;

  private final double allGpus;
  private int[] scratch = new int[8];

  /**
   * Costs.
   *
   * @param counts how often each shape is asked for
   * @param bound most shapes that are minded, the most frequent
   * @param gpus how many GPUs there are of each type
   */
  public GpuPlacementCost(
      SequencedMap<GpuTaskShape, Double> counts, int bound, long[] gpus, GpuCostWeights weights) {
    fragments = new GpuFragmentation(PopularGpuShapes.of(counts, bound), gpus.length);
    prices = GpuTypePrices.of(counts, gpus);
    this.weights = weights;
    int most = 0;
    double all = 0;
    for (Map.Entry<GpuTaskShape, Double> one : counts.entrySet()) {
      most = Math.max(most, one.getKey().gpus());
      all += one.getKey().gpuMilli() * one.getValue();
    }
    together = new double[most + 1];
    for (Map.Entry<GpuTaskShape, Double> one : counts.entrySet()) {
      together[one.getKey().gpus()] += one.getKey().gpuMilli() * one.getValue() / all;
    }
    long sum = 0;
    for (long some : gpus) {
      sum += some;
    }
    allGpus = sum;
  }

  /** Thousandths of GPUs of the node that are free and useless to the popular shapes. */
  @Override
  public double standing(GpuNode node) {
    return fragments.of(node.type(), node.cpuMilli(), node.memoryMib(), left(node), node.gpus());
  }

  @Override
  public GpuPlace place(int index, GpuNode node, GpuTaskShape shape, double standing) {
    double price = weights.scarcity() * prices[node.type()] * shape.gpuMilli() / GpuTaskShape.WHOLE;
    if (!shape.isShared()) {
      int[] left = left(node);
      GpuNode.takeTightest(left, shape);
      return new GpuPlace(gradient(node, shape, left, standing) + price, 0);
    }
    double best = Double.POSITIVE_INFINITY;
    int gpu = -1;
    for (int i = 0; i < node.gpus(); i++) {
      if (node.left(i) < shape.milli() || isLikeEarlier(node, i)) {
        continue;
      }
      int[] left = left(node);
      left[i] -= shape.milli();
      double cost = gradient(node, shape, left, standing);
      if (gpu < 0 || cost < best || cost == best && node.left(i) < node.left(gpu)) {
        best = cost;
        gpu = i;
      }
    }
    return new GpuPlace(best + price, gpu);
  }

  private static boolean isLikeEarlier(GpuNode node, int gpu) {
    for (int i = 0; i < gpu; i++) {
      if (node.left(i) == node.left(gpu)) {
        return true;
      }
    }
    return false;
  }

  private double gradient(GpuNode node, GpuTaskShape shape, int[] left, double standing) {
    double after =
        fragments.of(
            node.type(),
            node.cpuMilli() - shape.cpuMilli(),
            node.memoryMib() - shape.memoryMib(),
            left,
            node.gpus());
    return (after - standing) / GpuTaskShape.WHOLE;
  }

  /** Rises as the square as whole nodes become few, until no more are left than are kept. */
  @Override
  public double breaking(int gpus, int whole) {
    if (gpus < 2 || gpus >= together.length) {
      return 0;
    }
    double kept = weights.kept() * together[gpus] * allGpus / gpus;
    double part = Math.min(1, kept / whole);
    return weights.whole() * part * part;
  }

  private int[] left(GpuNode node) {
    if (scratch.length < node.gpus()) {
      scratch = new int[node.gpus()];
    }
    node.copyLeft(scratch);
    return scratch;
  }
}
