package io.dure.whatif;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.cluster.NodeRecord;
import io.dure.cluster.StateSnapshot;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.node.NodeCondition;
import io.dure.twin.simulate.SimulateUsageException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A cluster with some nodes more, each in all partitions of the one that they are like. */
final class ClusterExpansion {
  private ClusterExpansion() {}

  static ClusterState of(ClusterState state, WhatIfChange.NodeCountChange more, Instant at)
      throws SimulateUsageException {
    NodeRecord like = state.node(more.like());
    if (like == null) {
      throw new SimulateUsageException(
          "--add-nodes: there is no node " + more.like() + " that others could be like");
    }
    List<NodeConfig> fresh = new ArrayList<>();
    for (int number = 1; fresh.size() < more.count(); number++) {
      String name = more.like() + "-" + number;
      if (state.node(name) == null) {
        fresh.add(like.config().named(name));
      }
    }
    StateSnapshot whole = StateSnapshot.of(state);
    List<StateSnapshot.Node> nodes = new ArrayList<>(whole.nodes());
    for (NodeConfig node : fresh) {
      nodes.add(new StateSnapshot.Node(node, NodeCondition.GOOD, null, null, null, true));
    }
    ClusterState next = whole.withNodes(nodes).restore();
    List<String> names = fresh.stream().map(NodeConfig::name).toList();
    for (PartitionConfig partition : state.partitions()) {
      if (partition.nodes().contains(more.like())) {
        List<String> all = new ArrayList<>(partition.nodes());
        all.addAll(names);
        next = EventApplier.apply(next, new Event.PartitionDefined(partition.withNodes(all)));
      }
    }
    return next;
  }
}
