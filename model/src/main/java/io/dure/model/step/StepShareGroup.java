package io.dure.model.step;

import io.dure.model.HostList;
import io.dure.model.collection.GroupedShares;
import io.dure.model.collection.ShareGroup;
import io.dure.model.gres.GresShare;
import java.util.ArrayList;
import java.util.List;

/**
 * Nodes that follow one another in a step and have the same there, as it is stored and sent: so a
 * step over a thousand nodes that are alike takes no more room than one over two.
 *
 * @param nodes the nodes in order, as a host list
 * @param cores as in {@link StepShare}
 * @param cpus as there
 * @param memoryMib as there
 * @param ranks those of the first node
 * @param stride by how much those of the next node are higher
 * @param gres as there
 */
public record StepShareGroup(
    String nodes,
    List<Integer> cores,
    int cpus,
    long memoryMib,
    List<Integer> ranks,
    int stride,
    List<GresShare> gres)
    implements ShareGroup<StepShare> {
  /** The groups of shares. */
  public static List<StepShareGroup> of(List<StepShare> shares) {
    if (shares instanceof GroupedShares<StepShare> grouped) {
      return grouped.groups().stream().map(StepShareGroup.class::cast).toList();
    }
    List<StepShareGroup> groups = new ArrayList<>();
    int start = 0;
    while (start < shares.size()) {
      StepShare first = shares.get(start);
      int stride = start + 1 < shares.size() ? stride(first, shares.get(start + 1)) : 0;
      List<String> names = new ArrayList<>();
      int at = start;
      while (at < shares.size() && goesOn(first, shares.get(at), stride, at - start)) {
        names.add(shares.get(at).node());
        at++;
      }
      groups.add(
          new StepShareGroup(
              HostList.compressInOrder(names),
              first.cores(),
              first.cpus(),
              first.memoryMib(),
              first.ranks(),
              stride,
              first.gres()));
      start = at;
    }
    return groups;
  }

  private static int stride(StepShare first, StepShare second) {
    return first.ranks().isEmpty() || second.ranks().isEmpty()
        ? 0
        : second.ranks().getFirst() - first.ranks().getFirst();
  }

  private static boolean goesOn(StepShare first, StepShare next, int stride, int distance) {
    if (distance == 0) {
      return true;
    }
    if (next.cpus() != first.cpus()
        || next.memoryMib() != first.memoryMib()
        || next.ranks().size() != first.ranks().size()
        || !next.cores().equals(first.cores())
        || !next.gres().equals(first.gres())) {
      return false;
    }
    for (int i = 0; i < first.ranks().size(); i++) {
      if (next.ranks().get(i) != first.ranks().get(i) + stride * distance) {
        return false;
      }
    }
    return true;
  }

  @Override
  public List<String> names() {
    return HostList.expandLazily(nodes);
  }

  @Override
  public StepShare share(String node, int place) {
    return new StepShare(node, cores, cpus, memoryMib, ranks(place), gres);
  }

  private List<Integer> ranks(int distance) {
    if (distance == 0 || stride == 0) {
      return ranks;
    }
    if (ranks.size() == 1) {
      return List.of(ranks.getFirst() + stride * distance);
    }
    List<Integer> moved = new ArrayList<>(ranks.size());
    for (int rank : ranks) {
      moved.add(rank + stride * distance);
    }
    return List.copyOf(moved);
  }
}
