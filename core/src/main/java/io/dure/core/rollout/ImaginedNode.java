package io.dure.core.rollout;

import io.dure.core.collection.IntMap;
import io.dure.core.config.NodeConfig;
import io.dure.core.model.NodeShare;
import io.dure.core.scheduler.SchedulerNode;

/**
 * A node of which something is otherwise than it is.
 *
 * @param config how it is described
 * @param available whether jobs may start there
 * @param shares what jobs hold on it, by job id
 */
public record ImaginedNode(NodeConfig config, boolean available, IntMap<NodeShare> shares)
    implements SchedulerNode {
  /** An empty node. */
  public static ImaginedNode idle(NodeConfig config) {
    return new ImaginedNode(config, true, IntMap.empty());
  }

  /** The same as such a record. */
  static ImaginedNode of(SchedulerNode node) {
    return node instanceof ImaginedNode known
        ? known
        : new ImaginedNode(node.config(), node.available(), node.shares());
  }

  /** The same, taking jobs or none. */
  public ImaginedNode taking(boolean jobs) {
    return new ImaginedNode(config, jobs, shares);
  }

  /** The same with a job's share. */
  ImaginedNode holding(int job, NodeShare share) {
    return new ImaginedNode(config, available, shares.with(job, share));
  }

  /** The same without a job's share. */
  ImaginedNode releasing(int job) {
    return new ImaginedNode(config, available, shares.without(job));
  }
}
