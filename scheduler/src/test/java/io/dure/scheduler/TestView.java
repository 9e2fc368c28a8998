package io.dure.scheduler;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.collection.IntMap;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.topology.NamedTopology;
import io.dure.model.config.topology.Topology;
import io.dure.model.history.RunHistory;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.model.node.NodeLife;
import io.dure.model.reservation.Reservation;
import io.dure.rules.SchedulerNode;
import io.dure.rules.SchedulerView;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A view put together by a test. */
public record TestView(
    ClusterSettings settings,
    List<PartitionConfig> partitions,
    IntMap<TestNode> nodes,
    TreeMap<String, Integer> positions,
    IntMap<Job> pending,
    IntMap<Job> active,
    IntMap<IntMap<Integer>> tasks,
    RunHistory runs,
    @Nullable Topology topology,
    List<NamedTopology> topologies,
    AccountingTree accounts,
    List<Reservation> reservations)
    implements SchedulerView {

  /** The nodes and partitions of a configuration: no jobs, all nodes up. */
  public static TestView configured(ClusterConfig config) {
    IntMap<TestNode> nodes = IntMap.empty();
    TreeMap<String, Integer> positions = new TreeMap<>();
    for (NodeConfig node : config.nodes()) {
      int position = positions.size();
      positions.put(node.name(), position);
      nodes = nodes.with(position, new TestNode(node, NodeLife.Plain.UP, IntMap.empty()));
    }
    return new TestView(
        config.settings(),
        config.partitions(),
        nodes,
        positions,
        IntMap.empty(),
        IntMap.empty(),
        IntMap.empty(),
        RunHistory.EMPTY,
        config.topology(),
        config.topologies(),
        AccountingTree.initial(),
        List.of());
  }

  record TestNode(NodeConfig config, NodeLife life, IntMap<NodeShare> shares)
      implements SchedulerNode {}

  @Override
  public int nodePosition(String name) {
    Integer position = positions.get(name);
    return position == null ? -1 : position;
  }

  @Override
  public IntMap<Integer> arrayTasks(int arrayJobId) {
    IntMap<Integer> known = tasks.get(arrayJobId);
    return known == null ? IntMap.empty() : known;
  }
}
