package io.dure.twin.gpupacking;

import io.dure.model.report.GpuTaskShape;
import io.dure.placement.gpus.GpuCostFunction;
import io.dure.placement.gpus.GpuNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Fragmentation gradient descent as it was published (Weng et al., USENIX ATC 2023), to compare
 * with: the shapes that make 95 of a hundred tasks, scores in whole steps from 0 to 100, and the
 * first by name among equals.
 */
final class FragmentationGradientDescent implements GpuCostFunction {
  private static final double COVERED = 0.95;
  private static final double NAME = 1e-7;

  private record Typical(GpuTaskShape shape, double weight) {}

  private final List<Typical> typical;

  FragmentationGradientDescent(SequencedMap<GpuTaskShape, Double> counts) {
    List<Map.Entry<GpuTaskShape, Double>> order = new ArrayList<>(counts.entrySet());
    order.sort(
        Comparator.comparingDouble((Map.Entry<GpuTaskShape, Double> one) -> -one.getValue())
            .thenComparing(one -> one.getKey().toString()));
    double all = order.stream().mapToDouble(Map.Entry::getValue).sum();
    double sum = 0;
    List<Typical> chosen = new ArrayList<>();
    for (Map.Entry<GpuTaskShape, Double> one : order) {
      if (sum < COVERED * all) {
        sum += one.getValue();
        chosen.add(new Typical(one.getKey(), one.getValue()));
      }
    }
    double covers = sum;
    typical = chosen.stream().map(one -> new Typical(one.shape, one.weight / covers)).toList();
  }

  @Override
  public double standing(GpuNode node) {
    return fragment(node, node.cpuMilli(), left(node));
  }

  @Override
  public GpuPlace place(int index, GpuNode node, GpuTaskShape shape, double standing) {
    long cpuMilli = node.cpuMilli() - shape.cpuMilli();
    int[] left = left(node);
    if (!shape.isShared()) {
      int wanted = shape.gpus();
      for (int i = 0; i < left.length && wanted > 0; i++) {
        if (left[i] >= shape.milli()) {
          left[i] -= shape.milli();
          wanted--;
        }
      }
      return new GpuPlace(named(-step(standing - fragment(node, cpuMilli, left)), index), 0);
    }
    int gpu = -1;
    long most = 0;
    for (int i = 0; i < left.length; i++) {
      if (left[i] >= shape.milli()) {
        left[i] -= shape.milli();
        long step = step(standing - fragment(node, cpuMilli, left));
        left[i] += shape.milli();
        if (gpu < 0 || step > most) {
          most = step;
          gpu = i;
        }
      }
    }
    return new GpuPlace(named(-most, index), gpu);
  }

  private static double named(long score, int index) {
    return score + index * NAME;
  }

  private static long step(double gain) {
    return (long) (100 / (1 + Math.exp(-gain / GpuTaskShape.WHOLE)));
  }

  private static int[] left(GpuNode node) {
    int[] left = new int[node.gpus()];
    for (int i = 0; i < left.length; i++) {
      left[i] = node.left(i);
    }
    return left;
  }

  private double fragment(GpuNode node, long cpuMilli, int[] left) {
    long total = 0;
    for (int one : left) {
      total += one;
    }
    double fragment = 0;
    for (Typical one : typical) {
      GpuTaskShape shape = one.shape();
      int enough = 0;
      long small = 0;
      for (int each : left) {
        enough += each >= shape.milli() ? 1 : 0;
        small += each < shape.milli() ? each : 0;
      }
      boolean hosts =
          shape.gpus() > 0
              && shape.takes(node.type())
              && shape.cpuMilli() <= cpuMilli
              && shape.gpus() <= enough;
      fragment += one.weight() * (hosts ? small : total);
    }
    return fragment;
  }
}
