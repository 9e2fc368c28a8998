package io.dure.core.scheduler;

import io.dure.core.model.NodeShare;

/**
 * What one job holds on one node.
 *
 * @param node index of the node's slot
 * @param share what it holds
 * @param uid whose job it is
 * @param onlyOwnUser whether it keeps other users' jobs off the node
 * @param partition the partition it runs in
 * @param end when it will give it back, seconds since 1970; {@link Times#NEVER} for never
 */
public record Holding(
    int node, NodeShare share, int uid, boolean onlyOwnUser, String partition, long end) {

  /** What is left of it while the job is suspended. */
  public Holding withoutCores() {
    return new Holding(node, share.withoutCores(), uid, onlyOwnUser, partition, Times.NEVER);
  }
}
