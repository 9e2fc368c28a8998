package io.dure.placement.gpus;

import io.dure.model.report.GpuFragmentationReport;
import io.dure.model.report.GpuTaskShape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Makes a {@link GpuFragmentationReport} of nodes and of what jobs ask for. */
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
  public static GpuFragmentationReport of(
      GpuDemand waiting,
      GpuDemand running,
      Collection<? extends GpuNodeView> open,
      Collection<? extends GpuNodeView> closed) {
    GpuTypes types = waiting.types();
    List<GpuNode> nodes = new ArrayList<>();
    open.forEach(host -> nodes.addAll(types.nodes(host)));
    GpuDemand all = running.copy();
    all.addAll(waiting);
    Map<GpuTaskShape, Double> asked = waiting.counts();
    Map<GpuTaskShape, Double> held = running.counts();
    List<GpuFragmentationReport.ShapeUsability> shapes = new ArrayList<>();
    for (GpuTaskShape shape : popular(all.counts())) {
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
    return new GpuFragmentationReport(types(all, nodes, closed), shapes);
  }

  /** Not all: whoever submits jobs makes shapes, and each is asked of each node. */
  private static List<GpuTaskShape> popular(Map<GpuTaskShape, Double> counts) {
    return counts.entrySet().stream()
        .sorted(Map.Entry.<GpuTaskShape, Double>comparingByValue().reversed())
        .limit(MOST_SHAPES)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static List<GpuFragmentationReport.Type> types(
      GpuDemand all, List<GpuNode> nodes, Collection<? extends GpuNodeView> closed) {
    GpuTypes types = all.types();
    long[] gpus = types.gpus();
    long[] free = new long[gpus.length];
    long[] shut = new long[gpus.length];
    double[] useless = new double[gpus.length];
    GpuFragmentation fragments =
        new GpuFragmentation(PopularGpuShapes.of(all.counts(), MOST_SHAPES), gpus.length);
    for (GpuNode node : nodes) {
      free[node.type()] += node.gpuMilli();
      useless[node.type()] += fragments.of(node);
    }
    for (GpuNodeView host : closed) {
      types.nodes(host).forEach(node -> shut[node.type()] += node.gpuMilli());
    }
    List<GpuFragmentationReport.Type> told = new ArrayList<>();
    for (int i = 0; i < gpus.length; i++) {
      told.add(
          new GpuFragmentationReport.Type(
              types.names().get(i), gpus[i], shut[i], free[i], Math.round(useless[i])));
    }
    return told;
  }

  private static GpuFragmentationReport.ShapeUsability shape(
      GpuTaskShape shape, GpuTypes types, long waiting, long running, List<GpuNode> nodes) {
    long fits = 0;
    GpuFragmentationReport.UnusableReasons why =
        new GpuFragmentationReport.UnusableReasons(0, 0, 0, 0, 0, 0);
    for (GpuNode node : nodes) {
      if (!shape.takes(node.type())) {
        why = why.plus(new GpuFragmentationReport.UnusableReasons(0, 0, 0, 0, 0, node.gpuMilli()));
      } else {
        long here = fits(shape, node);
        fits += here;
        why = why.plus(why(shape, node, here));
      }
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < types.gpus().length && shape.types() != GpuTaskShape.ANY_TYPE; i++) {
      if (shape.takes(i)) {
        names.add(types.names().get(i));
      }
    }
    return new GpuFragmentationReport.ShapeUsability(shape, names, waiting, running, fits, why);
  }

  private static long byGpus(GpuTaskShape shape, GpuNode node) {
    if (shape.gpus() > 1) {
      return node.having(shape.milli()) / shape.gpus();
    }
    long parts = 0;
    for (int i = 0; i < node.gpus(); i++) {
      parts += node.left(i) / Math.max(1, shape.milli());
    }
    return parts;
  }

  private static long byCpus(GpuTaskShape shape, GpuNode node) {
    return shape.cpuMilli() == 0 ? Long.MAX_VALUE : node.cpuMilli() / shape.cpuMilli();
  }

  private static long byMemory(GpuTaskShape shape, GpuNode node) {
    return shape.memoryMib() == 0 ? Long.MAX_VALUE : node.memoryMib() / shape.memoryMib();
  }

  private static long fits(GpuTaskShape shape, GpuNode node) {
    return Math.min(byGpus(shape, node), Math.min(byCpus(shape, node), byMemory(shape, node)));
  }

  private static GpuFragmentationReport.UnusableReasons why(
      GpuTaskShape shape, GpuNode node, long fits) {
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
      return new GpuFragmentationReport.UnusableReasons(
          usable, cpus ? rest : 0, cpus ? 0 : rest, 0, small, 0);
    }
    return shape.gpus() > 1
        ? new GpuFragmentationReport.UnusableReasons(usable, 0, 0, rest, small, 0)
        : new GpuFragmentationReport.UnusableReasons(usable, 0, 0, 0, small + rest, 0);
  }
}
