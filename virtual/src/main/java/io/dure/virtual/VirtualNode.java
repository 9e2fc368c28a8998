package io.dure.virtual;

import io.dure.model.collection.IntMap;
import io.dure.model.config.NodeConfig;
import io.dure.model.job.NodeShare;
import io.dure.model.node.NodeLife;
import io.dure.rules.SchedulerNode;

/**
 * A node of which something is otherwise than it is.
 *
 * @param config how it is described
 * @param life where it is in its life
 * @param shares what jobs hold on it, by job id
 * @param exists false for one that is described for later and has never registered
 */
public record VirtualNode(
    NodeConfig config, NodeLife life, IntMap<NodeShare> shares, boolean exists)
    implements SchedulerNode {
  /** An empty node. */
  public static VirtualNode idle(NodeConfig config) {
    return new VirtualNode(config, NodeLife.Plain.UP, IntMap.empty(), true);
  }

  /** The same as such a record. */
  static VirtualNode of(SchedulerNode node) {
    return node instanceof VirtualNode known
        ? known
        : new VirtualNode(node.config(), node.life(), node.shares(), node.exists());
  }

  /** The same, taking jobs or none. */
  public VirtualNode taking(boolean jobs) {
    return new VirtualNode(config, jobs ? NodeLife.Plain.UP : NodeLife.Plain.DOWN, shares, exists);
  }

  /** The same with a job's share. */
  VirtualNode holding(int job, NodeShare share) {
    return new VirtualNode(config, life, shares.with(job, share), exists);
  }

  /** The same without a job's share. */
  VirtualNode releasing(int job) {
    return new VirtualNode(config, life, shares.without(job), exists);
  }
}
