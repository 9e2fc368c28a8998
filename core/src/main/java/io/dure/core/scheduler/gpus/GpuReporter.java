package io.dure.core.scheduler.gpus;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Makes a {@link GpuReport} of nodes and of what jobs ask for. */
public final class GpuReporter {
  private static final int MOST_SHAPES = 1024;

  private GpuReporter() {}

  /**
   * The nodes as they are.
   *
   * @param waiting what jobs ask for that wait
   * @param running what jobs ask for that run
   * @param open nodes on which jobs may start
   * @param closed the others
   */
  public static GpuReport of(
      GpuDemand waiting,
      GpuDemand running,
      Collection<? extends GpuHost> open,
      Collection<? extends GpuHost> closed) {
    GpuTypes types = waiting.types();
    List<GpuNode> nodes = new ArrayList<>();
    open.forEach(host -> nodes.addAll(types.nodes(host)));
    GpuDemand all = running.copy();
    all.addAll(waiting);
    Map<GpuShape, Double> asked = waiting.counts();
    Map<GpuShape, Double> held = running.counts();
    List<GpuReport.Shape> shapes = new ArrayList<>();
    for (GpuShape shape : popular(all.counts())) {
      shapes.add(
          shape(
              shape,
              types,
              Math.round(asked.getOrDefault(shape, 0.0)),
              Math.round(held.getOrDefault(shape, 0.0)),
              nodes));
    }
    shapes.sort((a, b) -> {
      int order = Long.compare(b.waiting(), a.waiting());
      return order == 0 ? Long.compare(b.running(), a.running()) : order;
    });
    return new GpuReport(types(all, nodes, closed), shapes);
  }

  /** Not all: whoever submits jobs makes shapes, and each is asked of each node. */
  private static List<GpuShape> popular(Map<GpuShape, Double> counts) {
    return counts.entrySet().stream()
        .sorted(Map.Entry.<GpuShape, Double>comparingByValue().reversed())
        .limit(MOST_SHAPES)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static List<GpuReport.Type> types(
      GpuDemand all, List<GpuNode> nodes, Collection<? extends GpuHost> closed) {
    GpuTypes types = all.types();
    long[] gpus = types.gpus();
    long[] free = new long[gpus.length];
    long[] shut = new long[gpus.length];
    double[] useless = new double[gpus.length];
    Fragments fragments = new Fragments(Popular.of(all.counts(), MOST_SHAPES), gpus.length);
    for (GpuNode node : nodes) {
      free[node.type()] += node.gpuMilli();
      useless[node.type()] += fragments.of(node);
    }
    for (GpuHost host : closed) {
      types.nodes(host).forEach(node -> shut[node.type()] += node.gpuMilli());
    }
    List<GpuReport.Type> told = new ArrayList<>();
    for (int i = 0; i < gpus.length; i++) {
      told.add(
          new GpuReport.Type(
              types.names().get(i), gpus[i], shut[i], free[i], Math.round(useless[i])));
    }
    return told;
  }

  private static GpuReport.Shape shape(
      GpuShape shape, GpuTypes types, long waiting, long running, List<GpuNode> nodes) {
    long fits = 0;
    GpuReport.Why why = new GpuReport.Why(0, 0, 0, 0, 0, 0);
    for (GpuNode node : nodes) {
      if (!shape.takes(node.type())) {
        why = why.plus(new GpuReport.Why(0, 0, 0, 0, 0, node.gpuMilli()));
      } else {
        long here = fits(shape, node);
        fits += here;
        why = why.plus(why(shape, node, here));
      }
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < types.gpus().length && shape.types() != GpuShape.ANY_TYPE; i++) {
      if (shape.takes(i)) {
        names.add(types.names().get(i));
      }
    }
    return new GpuReport.Shape(shape, names, waiting, running, fits, why);
  }

  private static long byGpus(GpuShape shape, GpuNode node) {
    if (shape.gpus() > 1) {
      return node.having(shape.milli()) / shape.gpus();
    }
    long parts = 0;
    for (int i = 0; i < node.gpus(); i++) {
      parts += node.left(i) / Math.max(1, shape.milli());
    }
    return parts;
  }

  private static long byCpus(GpuShape shape, GpuNode node) {
    return shape.cpuMilli() == 0 ? Long.MAX_VALUE : node.cpuMilli() / shape.cpuMilli();
  }

  private static long byMemory(GpuShape shape, GpuNode node) {
    return shape.memoryMib() == 0 ? Long.MAX_VALUE : node.memoryMib() / shape.memoryMib();
  }

  private static long fits(GpuShape shape, GpuNode node) {
    return Math.min(byGpus(shape, node), Math.min(byCpus(shape, node), byMemory(shape, node)));
  }

  private static GpuReport.Why why(GpuShape shape, GpuNode node, long fits) {
    long big = 0;
    for (int i = 0; i < node.gpus(); i++) {
      big += node.left(i) >= shape.milli() ? node.left(i) : 0;
    }
    long usable = fits * shape.gpuMilli();
    long small = node.gpuMilli() - big;
    long rest = big - usable;
    long byGpus = byGpus(shape, node);
    if (fits < byGpus) {
      boolean cpus = byCpus(shape, node) <= byMemory(shape, node);
      return new GpuReport.Why(usable, cpus ? rest : 0, cpus ? 0 : rest, 0, small, 0);
    }
    return shape.gpus() > 1
        ? new GpuReport.Why(usable, 0, 0, rest, small, 0)
        : new GpuReport.Why(usable, 0, 0, 0, small + rest, 0);
  }
}
