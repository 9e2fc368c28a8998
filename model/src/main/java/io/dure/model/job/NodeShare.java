package io.dure.model.job;

import io.dure.model.gres.GresShare;
import java.util.List;

/**
 * What one job holds on one node.
 *
 * @param node node name
 * @param cores indices of the cores held, rising, 0 for the first core of the first socket
 * @param cpus CPUs (hardware threads) charged
 * @param memoryMib memory held, MiB
 * @param tasks tasks to run there
 * @param gres generic resources held
 */
public record NodeShare(
    String node, List<Integer> cores, int cpus, long memoryMib, int tasks, List<GresShare> gres) {

  /** A share without generic resources. */
  public NodeShare(String node, List<Integer> cores, int cpus, long memoryMib, int tasks) {
    this(node, cores, cpus, memoryMib, tasks, List.of());
  }

  /** Whether another node gives the same. */
  boolean isLike(NodeShare other) {
    return cpus == other.cpus
        && memoryMib == other.memoryMib
        && tasks == other.tasks
        && cores.equals(other.cores)
        && gres.equals(other.gres);
  }

  /** What is left of it while the job is suspended: all but its cores. */
  public NodeShare withoutCores() {
    return new NodeShare(node, List.of(), 0, memoryMib, tasks, gres);
  }
}
