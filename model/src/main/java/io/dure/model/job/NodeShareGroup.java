package io.dure.model.job;

import io.dure.model.HostList;
import io.dure.model.gres.GresShare;
import java.util.ArrayList;
import java.util.List;

/**
 * Nodes that follow one another in an allocation and give the same, as it is stored and sent.
 *
 * @param nodes the nodes in order, as a host list
 * @param cores as in {@link NodeShare}
 * @param cpus as there
 * @param memoryMib as there
 * @param tasks as there
 * @param gres as there
 */
public record NodeShareGroup(
    String nodes, List<Integer> cores, int cpus, long memoryMib, int tasks, List<GresShare> gres) {
  /** The groups of shares. */
  public static List<NodeShareGroup> of(List<NodeShare> shares) {
    List<NodeShareGroup> groups = new ArrayList<>();
    int start = 0;
    while (start < shares.size()) {
      NodeShare first = shares.get(start);
      List<String> names = new ArrayList<>();
      int at = start;
      while (at < shares.size() && shares.get(at).isLike(first)) {
        names.add(shares.get(at).node());
        at++;
      }
      groups.add(
          new NodeShareGroup(
              HostList.compressInOrder(names),
              first.cores(),
              first.cpus(),
              first.memoryMib(),
              first.tasks(),
              first.gres()));
      start = at;
    }
    return groups;
  }

  /**
   * The shares of groups.
   *
   * @throws io.dure.model.HostListException if one has nodes that are no host list
   */
  public static List<NodeShare> expand(List<NodeShareGroup> groups) {
    List<NodeShare> shares = new ArrayList<>();
    for (NodeShareGroup group : groups) {
      for (String node : HostList.expand(group.nodes)) {
        shares.add(
            new NodeShare(node, group.cores, group.cpus, group.memoryMib, group.tasks, group.gres));
      }
    }
    return List.copyOf(shares);
  }
}
