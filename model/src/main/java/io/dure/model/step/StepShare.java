package io.dure.model.step;

import io.dure.model.gres.GresShare;
import java.util.List;

/**
 * What a step has on one node.
 *
 * @param node the node
 * @param cores indices of its cores, rising
 * @param cpus CPUs (hardware threads) of them
 * @param memoryMib its memory, MiB; 0 where the job has no bound
 * @param ranks the tasks that run there, numbered through the step, rising
 * @param gres its generic resources
 */
public record StepShare(
    String node,
    List<Integer> cores,
    int cpus,
    long memoryMib,
    List<Integer> ranks,
    List<GresShare> gres) {

  /** A share without generic resources. */
  public StepShare(
      String node, List<Integer> cores, int cpus, long memoryMib, List<Integer> ranks) {
    this(node, cores, cpus, memoryMib, ranks, List.of());
  }
}
