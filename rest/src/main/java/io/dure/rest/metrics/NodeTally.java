package io.dure.rest.metrics;

import io.dure.surface.facts.SlurmNodeState;
import java.util.EnumMap;
import java.util.Map;

/** Counts of nodes that have something in common. Not thread-safe while it counts. */
final class NodeTally {
  private final Map<NodeCount, Long> counts = new EnumMap<>(NodeCount.class);
  private long nodes;
  private NodeResources resources = NodeResources.NONE;

  void add(SlurmNodeState state, NodeResources more) {
    nodes++;
    for (NodeCount one : NodeCount.values()) {
      if (one.counts(state)) {
        counts.merge(one, 1L, Long::sum);
      }
    }
    resources = resources.plus(more);
  }

  /** All of them. */
  long nodes() {
    return nodes;
  }

  long of(NodeCount what) {
    return counts.getOrDefault(what, 0L);
  }

  /** What they have together. */
  NodeResources resources() {
    return resources;
  }
}
