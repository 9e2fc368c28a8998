package io.dure.rules;

import io.dure.model.NodeShare;
import io.dure.model.collection.IntMap;
import io.dure.model.config.NodeConfig;

/** What the scheduler sees of a node. */
public interface SchedulerNode {
  /** How it is described. */
  NodeConfig config();

  /** True if jobs may start here. */
  boolean available();

  /** What jobs hold here, by job id. */
  IntMap<NodeShare> shares();
}
