package io.dure.placement.gpus;

import io.dure.model.report.GpuTaskShape;

/** Says what the places of a task on nodes cost; the cheapest is taken. */
public interface GpuCostFunction {
  /** What can be said of a node before it is known what comes. */
  double standing(GpuNode node);

  /**
   * The best place of a task on a node that has room for it.
   *
   * @param index which node it is, by its name's order
   * @param standing what {@link #standing} says of the node
   */
  GpuPlace place(int index, GpuNode node, GpuTaskShape shape, double standing);

  /**
   * What it costs more to take a part of a node of which nothing is taken.
   *
   * @param gpus how many GPUs it has
   * @param whole how many nodes with as many GPUs are whole, at least 1
   */
  default double breaking(int gpus, int whole) {
    return 0;
  }

  /**
   * A place on a node.
   *
   * @param cost least is best
   * @param gpu the GPU that the task shares, 0 where it shares none
   */
  record GpuPlace(double cost, int gpu) {}
}
