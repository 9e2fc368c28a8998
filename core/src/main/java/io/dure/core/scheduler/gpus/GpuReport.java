package io.dure.core.scheduler.gpus;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * How much of a cluster's GPUs is free, how much of that is of no use to what is asked for, and
 * why.
 *
 * @param types each type of GPUs, in order
 * @param shapes what jobs ask for that wait or run, those that wait most first
 */
public record GpuReport(List<Type> types, List<Shape> shapes) {
  private static final int MOST_SHAPES = 1024;

  public GpuReport {
    types = List.copyOf(types);
    shapes = List.copyOf(shapes);
  }

  /**
   * GPUs of a type; parts of them in thousandths.
   *
   * @param name empty where they have none
   * @param gpus how many there are
   * @param closedMilli of nodes on which no job may start, and not held
   * @param freeMilli free of the others
   * @param uselessMilli of what is free, what is of no use, on the mean over all that is asked for
   */
  public record Type(String name, long gpus, long closedMilli, long freeMilli, long uselessMilli) {}

  /**
   * What is asked of a node, and what of all free GPUs serves it; the parts together are all that
   * is free.
   *
   * @param shape what is asked for
   * @param types names of the types that will do, empty for all
   * @param waiting jobs that wait
   * @param running jobs that run
   * @param fits of how many more there is room for
   * @param why thousandths of GPUs that are free, by what becomes of them
   */
  public record Shape(
      GpuShape shape, List<String> types, long waiting, long running, long fits, Why why) {
    public Shape {
      types = List.copyOf(types);
    }
  }

  /**
   * Thousandths of free GPUs.
   *
   * @param usable what the shape can have
   * @param cpus whose nodes have too few CPUs left
   * @param memory whose nodes have too little memory left
   * @param split whose nodes have too few GPUs left for one that asks for several
   * @param parts of GPUs of which too little is left
   * @param types of types that will not do
   */
  public record Why(long usable, long cpus, long memory, long split, long parts, long types) {
    private Why plus(Why other) {
      return new Why(
          usable + other.usable,
          cpus + other.cpus,
          memory + other.memory,
          split + other.split,
          parts + other.parts,
          types + other.types);
    }
  }

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
    List<Shape> shapes = new ArrayList<>();
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

  private static List<Type> types(
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
    List<Type> told = new ArrayList<>();
    for (int i = 0; i < gpus.length; i++) {
      told.add(new Type(types.names().get(i), gpus[i], shut[i], free[i], Math.round(useless[i])));
    }
    return told;
  }

  private static Shape shape(
      GpuShape shape, GpuTypes types, long waiting, long running, List<GpuNode> nodes) {
    long fits = 0;
    Why why = new Why(0, 0, 0, 0, 0, 0);
    for (GpuNode node : nodes) {
      if (!shape.takes(node.type())) {
        why = why.plus(new Why(0, 0, 0, 0, 0, node.gpuMilli()));
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
    return new Shape(shape, names, waiting, running, fits, why);
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

  private static Why why(GpuShape shape, GpuNode node, long fits) {
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
      return new Why(usable, cpus ? rest : 0, cpus ? 0 : rest, 0, small, 0);
    }
    return shape.gpus() > 1
        ? new Why(usable, 0, 0, rest, small, 0)
        : new Why(usable, 0, 0, 0, small + rest, 0);
  }
}
