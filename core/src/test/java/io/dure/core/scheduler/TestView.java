package io.dure.core.scheduler;

import io.dure.core.collection.IntMap;
import io.dure.core.config.ClusterConfig;
import io.dure.core.config.NodeConfig;
import io.dure.core.config.PartitionConfig;
import io.dure.core.config.Settings;
import io.dure.core.config.topology.Topology;
import io.dure.core.history.RunBook;
import io.dure.core.model.Job;
import io.dure.core.model.NodeShare;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A view put together by a test. */
record TestView(
    Settings settings,
    List<PartitionConfig> partitions,
    IntMap<TestNode> nodes,
    TreeMap<String, Integer> positions,
    IntMap<Job> pending,
    IntMap<Job> active,
    IntMap<IntMap<Integer>> tasks,
    RunBook runs,
    @Nullable Topology topology)
    implements SchedulerView {

  /** The nodes and partitions of a configuration: no jobs, all nodes up. */
  static TestView configured(ClusterConfig config) {
    IntMap<TestNode> nodes = IntMap.empty();
    TreeMap<String, Integer> positions = new TreeMap<>();
    for (NodeConfig node : config.nodes()) {
      int position = positions.size();
      positions.put(node.name(), position);
      nodes = nodes.with(position, new TestNode(node, true, IntMap.empty()));
    }
    return new TestView(
        config.settings(),
        config.partitions(),
        nodes,
        positions,
        IntMap.empty(),
        IntMap.empty(),
        IntMap.empty(),
        RunBook.EMPTY,
        config.topology());
  }

  record TestNode(NodeConfig config, boolean available, IntMap<NodeShare> shares)
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
