package io.dure.core.scheduler;

import io.dure.core.collection.IntMap;
import io.dure.core.config.NodeConfig;
import io.dure.core.config.PartitionConfig;
import io.dure.core.config.Settings;
import io.dure.core.model.Job;
import io.dure.core.model.NodeShare;
import java.util.List;

/** A view put together by a test. */
record TestView(
    Settings settings,
    List<PartitionConfig> partitions,
    IntMap<TestNode> nodes,
    IntMap<Job> pending,
    IntMap<Job> active,
    IntMap<IntMap<Integer>> tasks)
    implements SchedulerView {

  record TestNode(NodeConfig config, boolean available, IntMap<NodeShare> shares)
      implements SchedulerNode {}

  @Override
  public int nodePosition(String name) {
    int[] found = {-1};
    nodes.forEach((position, node) -> {
      if (node.config().name().equals(name)) {
        found[0] = position;
      }
    });
    return found[0];
  }

  @Override
  public IntMap<Integer> arrayTasks(int arrayJobId) {
    IntMap<Integer> known = tasks.get(arrayJobId);
    return known == null ? IntMap.empty() : known;
  }
}
