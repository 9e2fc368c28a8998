package io.dure.simulator.twin.packing;

import io.dure.core.scheduler.gpus.GpuCosts;
import io.dure.core.scheduler.gpus.GpuNode;
import io.dure.core.scheduler.gpus.GpuPool;
import io.dure.core.scheduler.gpus.GpuRule;
import io.dure.core.scheduler.gpus.GpuShape;
import io.dure.core.scheduler.gpus.GpuWeights;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** Ways to choose a task's node. */
enum Placing {
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
  interface Chooser {
    /** Where a task lies best; null if no node has room for it. */
    GpuPool.@Nullable Chosen choose(GpuShape shape);
  }

  /** This way among a cluster's nodes. */
  Chooser chooser(GpuCluster cluster, List<GpuNode> nodes, List<GpuTask> history, long seed) {
    return switch (this) {
      case RANDOM -> new AnyNode(nodes, new Random(~seed));
      case BEST_FIT -> new GpuPool(nodes, new BestFitRule())::choose;
      case FIRST_FIT -> new GpuPool(nodes, new FirstFitRule())::choose;
      case FGD -> new GpuPool(nodes, new PublishedGradient(counts(history, false)))::choose;
      case DURE ->
          new GpuPool(
                  nodes,
                  new GpuCosts(
                      counts(history, true), MOST_SHAPES, cluster.gpusOfTypes(), GpuWeights.USUAL))
              ::choose;
    };
  }

  private static SequencedMap<GpuShape, Double> counts(List<GpuTask> tasks, boolean memory) {
    SequencedMap<GpuShape, Double> counts = new LinkedHashMap<>();
    for (GpuTask task : tasks) {
      GpuShape shape = task.shape();
      GpuShape counted =
          memory
              ? shape
              : new GpuShape(shape.cpuMilli(), 0, shape.gpus(), shape.milli(), shape.types());
      counts.merge(counted, 1.0, Double::sum);
    }
    return counts;
  }

  /** Any node that has room, and any GPU of it. */
  private record AnyNode(List<GpuNode> nodes, Random random) implements Chooser {
    @Override
    public GpuPool.@Nullable Chosen choose(GpuShape shape) {
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

  private record BestFitRule() implements GpuRule {
    private static final double MOST_CPU_MILLI = 128_000;
    private static final double MOST_GPU_MILLI = 8_000;

    @Override
    public double standing(GpuNode node) {
      return 0.5 * node.cpuMilli() / MOST_CPU_MILLI + 0.5 * node.gpuMilli() / MOST_GPU_MILLI;
    }

    @Override
    public Place place(int index, GpuNode node, GpuShape shape, double standing) {
      return new Place(standing, tightest(node, shape));
    }
  }

  /** The GPU that has least to spare. */
  private static int tightest(GpuNode node, GpuShape shape) {
    int best = 0;
    for (int i = 0; i < node.gpus(); i++) {
      boolean fits = node.left(i) >= shape.milli();
      if (fits && (node.left(best) < shape.milli() || node.left(i) < node.left(best))) {
        best = i;
      }
    }
    return best;
  }

  private record FirstFitRule() implements GpuRule {
    @Override
    public double standing(GpuNode node) {
      return 0;
    }

    @Override
    public Place place(int index, GpuNode node, GpuShape shape, double standing) {
      int gpu = 0;
      while (shape.isShared() && node.left(gpu) < shape.milli()) {
        gpu++;
      }
      return new Place(index, gpu);
    }
  }
}
