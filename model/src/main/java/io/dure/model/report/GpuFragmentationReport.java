package io.dure.model.report;

import java.util.List;

/**
 * How much of a cluster's GPUs is free, how much of that is of no use to what is asked for, and
 * why.
 *
 * @param types each type of GPUs, in order
 * @param shapes what jobs ask for that wait or run, those that wait most first
 */
public record GpuFragmentationReport(List<Type> types, List<ShapeUsability> shapes) {
  public GpuFragmentationReport {
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
  public record ShapeUsability(
      GpuTaskShape shape,
      List<String> types,
      long waiting,
      long running,
      long fits,
      UnusableReasons why) {
    public ShapeUsability {
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
  public record UnusableReasons(
      long usable, long cpus, long memory, long split, long parts, long types) {
    /** The sum of both. */
    public UnusableReasons plus(UnusableReasons other) {
      return new UnusableReasons(
          usable + other.usable,
          cpus + other.cpus,
          memory + other.memory,
          split + other.split,
          parts + other.parts,
          types + other.types);
    }
  }
}
