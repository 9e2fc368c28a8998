package io.dure.simulator.twin.whatif;

import io.dure.core.config.NodeConfig;
import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.Apply;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Event;
import io.dure.core.controller.NodeRecord;
import io.dure.core.controller.StateSnapshot;
import io.dure.core.model.NodeCondition;
import io.dure.simulator.twin.command.UsageException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A cluster with some nodes more, each in all partitions of the one that they are like. */
final class MoreNodes {
  private MoreNodes() {}

  static ClusterState of(ClusterState state, Change.MoreNodes more, Instant at)
      throws UsageException {
    NodeRecord like = state.node(more.like());
    if (like == null) {
      throw new UsageException(
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
        next = Apply.apply(next, new Event.PartitionDefined(partition.having(all)));
      }
    }
    return next;
  }
}
