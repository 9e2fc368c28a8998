package io.dure.core.scheduler;

import io.dure.core.collection.IntMap;
import io.dure.core.config.NodeConfig;
import io.dure.core.model.NodeShare;

/** What the scheduler sees of a node. */
public interface SchedulerNode {
  /** How it is described. */
  NodeConfig config();

  /** True if jobs may start here. */
  boolean available();

  /** What jobs hold here, by job id. */
  IntMap<NodeShare> shares();
}
