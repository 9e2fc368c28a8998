package io.dure.placement.nodeselection;

import org.jspecify.annotations.Nullable;

/** Chooses the nodes of one job. */
public final class NodeSelector {
  private NodeSelector() {}

  /**
   * The nodes that a job gets of an offer; null if they will not do.
   *
   * @param forest how switches or blocks join the nodes, null where that is not known
   */
  public static @Nullable NodeSelection choose(
      WeightedCandidates offer, NodeSelectionRequest wish, @Nullable TopologyTree forest) {
    NodeSelection choice = new NodeSelection(offer, wish);
    if (wish.contiguous()) {
      return ContiguousSelector.take(choice) ? choice : null;
    }
    if (!choice.takeRequired()) {
      return null;
    }
    if (forest != null) {
      return TopologySelector.take(choice, forest);
    }
    NodeSelection first = choice.copy();
    return BestFitSelector.take(first) ? first : choice.takeRoomiest() ? choice : null;
  }
}
