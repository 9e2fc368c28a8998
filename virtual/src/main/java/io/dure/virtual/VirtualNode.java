package io.dure.virtual;

import io.dure.model.NodeShare;
import io.dure.model.collection.IntMap;
import io.dure.model.config.NodeConfig;
import io.dure.rules.SchedulerNode;

/**
 * A node of which something is otherwise than it is.
 *
 * @param config how it is described
 * @param available whether jobs may start there
 * @param shares what jobs hold on it, by job id
 */
public record VirtualNode(NodeConfig config, boolean available, IntMap<NodeShare> shares)
    implements SchedulerNode {
  /** An empty node. */
  public static VirtualNode idle(NodeConfig config) {
    return new VirtualNode(config, true, IntMap.empty());
  }

  /** The same as such a record. */
  static VirtualNode of(SchedulerNode node) {
    return node instanceof VirtualNode known
        ? known
        : new VirtualNode(node.config(), node.available(), node.shares());
  }

  /** The same, taking jobs or none. */
  public VirtualNode taking(boolean jobs) {
    return new VirtualNode(config, jobs, shares);
  }

  /** The same with a job's share. */
  VirtualNode holding(int job, NodeShare share) {
    return new VirtualNode(config, available, shares.with(job, share));
  }

  /** The same without a job's share. */
  VirtualNode releasing(int job) {
    return new VirtualNode(config, available, shares.without(job));
  }
}
