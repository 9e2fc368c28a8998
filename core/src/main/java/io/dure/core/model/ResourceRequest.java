package io.dure.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shape of the allocation that a job asks for. Counts are final: defaults that depend on other
 * options (tasks from nodes and the like) were worked out by whoever made the request.
 *
 * @param minNodes fewest nodes, at least 1
 * @param maxNodes most nodes, at least {@code minNodes}
 * @param tasks number of tasks, at least 1
 * @param cpusPerTask CPUs for each task, at least 1
 * @param tasksPerNode most tasks on one node ({@code --ntasks-per-node}), null where not asked
 * @param minCpusPerNode {@code --mincpus}, at least 1
 * @param memory memory asked for
 * @param tmpDiskMib least temporary disk on each node, MiB
 * @param sharing whether neighbours are accepted
 * @param requiredNodes node names that must all be part of the allocation
 * @param excludedNodes node names that must not be part of it
 * @param features constraint expression ({@code a&b}, {@code a|b}), null where none
 * @param contiguous nodes must be neighbours in the configuration's order
 * @param overcommit tasks may outnumber CPUs
 * @param socketsPerNode least sockets on each node, null where not asked
 * @param coresPerSocket least cores on each socket, null where not asked
 * @param threadsPerCore least threads on each core, null where not asked
 */
public record ResourceRequest(
    int minNodes,
    int maxNodes,
    int tasks,
    int cpusPerTask,
    @Nullable Integer tasksPerNode,
    int minCpusPerNode,
    MemoryRequest memory,
    long tmpDiskMib,
    Sharing sharing,
    List<String> requiredNodes,
    List<String> excludedNodes,
    @Nullable String features,
    boolean contiguous,
    boolean overcommit,
    @Nullable Integer socketsPerNode,
    @Nullable Integer coresPerSocket,
    @Nullable Integer threadsPerCore) {

  /** CPUs that the tasks need in all; with overcommit one a node is enough. */
  public int totalCpus() {
    return overcommit ? minNodes : Math.multiplyExact(tasks, cpusPerTask);
  }
}
