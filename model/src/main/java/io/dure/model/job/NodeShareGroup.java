package io.dure.model.job;

import io.dure.model.HostList;
import io.dure.model.collection.GroupedShares;
import io.dure.model.collection.ShareGroup;
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
    String nodes, List<Integer> cores, int cpus, long memoryMib, int tasks, List<GresShare> gres)
    implements ShareGroup<NodeShare> {
  /** The groups of shares. */
  public static List<NodeShareGroup> of(List<NodeShare> shares) {
    if (shares instanceof GroupedShares<NodeShare> grouped) {
      return grouped.groups().stream().map(NodeShareGroup.class::cast).toList();
    }
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

  @Override
  public List<String> names() {
    return HostList.expandLazily(nodes);
  }

  @Override
  public NodeShare share(String node, int place) {
    return new NodeShare(node, cores, cpus, memoryMib, tasks, gres);
  }
}
