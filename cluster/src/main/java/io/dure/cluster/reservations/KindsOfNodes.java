package io.dure.cluster.reservations;

import io.dure.cluster.NodeRecord;
import io.dure.model.ErrorCode;
import io.dure.model.constraint.FeatureConstraint;
import io.dure.model.constraint.FeatureExpression;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Chooses so many nodes of each of several kinds, no node for two of them. */
final class KindsOfNodes {
  private final List<FeatureExpression> wanted = new ArrayList<>();
  private final List<NodeRecord> nodes;

  /** For which of those wanted a node was taken, by its place; negative for none. */
  private final int[] taken;

  private KindsOfNodes(List<FeatureConstraint.Count> counts, List<NodeRecord> nodes) {
    this.nodes = nodes;
    taken = new int[nodes.size()];
    Arrays.fill(taken, -1);
    for (FeatureConstraint.Count count : counts) {
      for (int i = 0; i < Math.min(count.nodes(), nodes.size() + 1); i++) {
        wanted.add(count.what());
      }
    }
  }

  /**
   * The nodes, those that stand first before others.
   *
   * @throws ReservationRefusedException if there are not so many of each
   */
  static List<NodeRecord> choose(List<FeatureConstraint.Count> counts, List<NodeRecord> nodes)
      throws ReservationRefusedException {
    KindsOfNodes all = new KindsOfNodes(counts, nodes);
    for (int one = 0; one < all.wanted.size(); one++) {
      if (!all.take(one, new boolean[nodes.size()])) {
        throw new ReservationRefusedException(ErrorCode.NODES_BUSY);
      }
    }
    List<NodeRecord> chosen = new ArrayList<>();
    for (int place = 0; place < all.taken.length; place++) {
      if (all.taken[place] >= 0) {
        chosen.add(nodes.get(place));
      }
    }
    return chosen;
  }

  /** Takes a node, whose taker takes another if it can. */
  private boolean take(int one, boolean[] tried) {
    for (int place = 0; place < taken.length; place++) {
      if (!tried[place] && wanted.get(one).matches(nodes.get(place).config().features())) {
        tried[place] = true;
        if (taken[place] < 0 || take(taken[place], tried)) {
          taken[place] = one;
          return true;
        }
      }
    }
    return false;
  }
}
