package io.dure.core.scheduler;

import io.dure.core.model.NodeShare;
import org.jspecify.annotations.Nullable;

/**
 * What one job holds on one node.
 *
 * @param node index of the node's slot
 * @param share what it holds
 * @param uid whose job it is
 * @param onlyOwnUser whether it keeps other users' jobs off the node
 * @param partition the partition it runs in
 * @param together how many jobs of the partition may have each of its cores, null where it has them
 *     alone
 * @param end when it will give it back, seconds since 1970; {@link Times#NEVER} for never
 */
public record Holding(
    int node,
    NodeShare share,
    int uid,
    boolean onlyOwnUser,
    String partition,
    @Nullable Integer together,
    long end) {

  /** What is left of it while the job is suspended. */
  public Holding withoutCores() {
    return new Holding(node, share.withoutCores(), uid, onlyOwnUser, partition, null, Times.NEVER);
  }
}
