package io.dure.rules;

import io.dure.model.collection.IntMap;
import io.dure.model.config.NodeConfig;
import io.dure.model.job.NodeShare;
import io.dure.model.node.NodeLife;

/** What the scheduler sees of a node. */
public interface SchedulerNode {
  /** How it is described. */
  NodeConfig config();

  /** Where it is in its life. */
  NodeLife life();

  /** False for a node that is described for later and has never registered. */
  default boolean exists() {
    return config().state() != NodeConfig.State.FUTURE;
  }

  /** True if jobs may start here. */
  default boolean available() {
    return life().takesJobs();
  }

  /** True if jobs may start here now, or from a time on that is known. */
  default boolean isExpected() {
    return available() || life().expected() != null;
  }

  /** What jobs hold here, by job id. */
  IntMap<NodeShare> shares();
}
