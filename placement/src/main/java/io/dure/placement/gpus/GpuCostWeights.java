package io.dure.placement.gpus;

/**
 * What counts how much where a task's place is chosen, in GPUs that become useless.
 *
 * @param scarcity for each GPU of a type that is asked for by name as much as there is of it
 * @param whole for a node that is broken into when no more are whole than are kept
 * @param kept how many of the nodes that whole-node tasks fill on the mean are kept whole, in parts
 */
public record GpuCostWeights(double scarcity, double whole, double kept) {
  /** Those that the twin found best on the lists of a public cluster. */
  public static final GpuCostWeights USUAL = new GpuCostWeights(0.3, 0.3, 0.8);
}
