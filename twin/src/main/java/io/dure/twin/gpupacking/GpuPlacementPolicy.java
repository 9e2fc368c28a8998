package io.dure.twin.gpupacking;

import io.dure.model.report.GpuTaskShape;
import io.dure.placement.gpus.GpuCostFunction;
import io.dure.placement.gpus.GpuCostWeights;
import io.dure.placement.gpus.GpuNode;
import io.dure.placement.gpus.GpuPlacementCost;
import io.dure.placement.gpus.GpuPool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** Ways to choose a task's node. */
enum GpuPlacementPolicy {
  /** Any node that has room. */
  RANDOM,
  /** The node that has least to spare, half by CPUs and half by GPUs. */
  BEST_FIT,
  /** The first by name that has room. */
  FIRST_FIT,
  /** Where least becomes useless to the popular shapes, in steps as published; then by name. */
  FGD,
  /** Dure's own. */
  DURE;

  private static final int MOST_SHAPES = 1024;

  /** Whether it says where on a partitioned GPU a task lies. */
  boolean placesMig() {
    return switch (this) {
      case BEST_FIT, FIRST_FIT, DURE -> true;
      case RANDOM, FGD -> false;
    };
  }

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Chooses places among nodes that change. */
  interface GpuPlacer {
    /** Where a task lies best; null if no node has room for it. */
    GpuPool.@Nullable Chosen choose(GpuTaskShape shape);
  }

  /** This way among a cluster's nodes. */
  GpuPlacer chooser(GpuCluster cluster, List<GpuNode> nodes, List<GpuTask> history, long seed) {
    return switch (this) {
      case RANDOM -> new AnyNode(nodes, new Random(~seed));
      case BEST_FIT -> new GpuPool(nodes, new BestFitRule())::choose;
      case FIRST_FIT -> new GpuPool(nodes, new FirstFitRule())::choose;
      case FGD ->
          new GpuPool(nodes, new FragmentationGradientDescent(counts(history, false)))::choose;
      case DURE ->
          new GpuPool(
                  nodes,
                  new GpuPlacementCost(
                      counts(history, true),
                      MOST_SHAPES,
                      cluster.gpusOfTypes(),
                      GpuCostWeights.USUAL))
              ::choose;
    };
  }

  private static SequencedMap<GpuTaskShape, Double> counts(List<GpuTask> tasks, boolean memory) {
    SequencedMap<GpuTaskShape, Double> counts = new LinkedHashMap<>();
    for (GpuTask task : tasks) {
      GpuTaskShape shape = task.shape();
      GpuTaskShape counted =
          memory
              ? shape
              : new GpuTaskShape(shape.cpuMilli(), 0, shape.gpus(), shape.milli(), shape.types());
      counts.merge(counted, 1.0, Double::sum);
    }
    return counts;
  }

  /** Any node that has room, and any GPU of it. */
  private record AnyNode(List<GpuNode> nodes, Random random) implements GpuPlacer {
    @Override
    public GpuPool.@Nullable Chosen choose(GpuTaskShape shape) {
      List<Integer> having = new ArrayList<>();
      for (int i = 0; i < nodes.size(); i++) {
        if (nodes.get(i).hosts(shape)) {
          having.add(i);
        }
      }
      if (having.isEmpty()) {
        return null;
      }
      int index = having.get(random.nextInt(having.size()));
      GpuNode node = nodes.get(index);
      List<Integer> gpus = new ArrayList<>();
      for (int i = 0; i < node.gpus(); i++) {
        if (node.left(i) >= shape.milli()) {
          gpus.add(i);
        }
      }
      return new GpuPool.Chosen(index, gpus.get(random.nextInt(gpus.size())));
    }
  }

  private record BestFitRule() implements GpuCostFunction {
    private static final double MOST_CPU_MILLI = 128_000;
    private static final double MOST_GPU_MILLI = 8_000;

    @Override
    public double standing(GpuNode node) {
      return 0.5 * node.cpuMilli() / MOST_CPU_MILLI + 0.5 * node.gpuMilli() / MOST_GPU_MILLI;
    }

    @Override
    public GpuPlace place(int index, GpuNode node, GpuTaskShape shape, double standing) {
      return new GpuPlace(standing, tightest(node, shape));
    }
  }

  /** The GPU that has least to spare. */
  private static int tightest(GpuNode node, GpuTaskShape shape) {
    int best = 0;
    for (int i = 0; i < node.gpus(); i++) {
      boolean fits = node.left(i) >= shape.milli();
      if (fits && (node.left(best) < shape.milli() || node.left(i) < node.left(best))) {
        best = i;
      }
    }
    return best;
  }

  private record FirstFitRule() implements GpuCostFunction {
    @Override
    public double standing(GpuNode node) {
      return 0;
    }

    @Override
    public GpuPlace place(int index, GpuNode node, GpuTaskShape shape, double standing) {
      int gpu = 0;
      while (shape.isShared() && node.left(gpu) < shape.milli()) {
        gpu++;
      }
      return new GpuPlace(index, gpu);
    }
  }
}
