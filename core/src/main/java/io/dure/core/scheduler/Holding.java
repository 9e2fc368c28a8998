package io.dure.core.scheduler;

import io.dure.core.model.NodeShare;
import java.util.List;
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
 * @param tier PriorityTier of that partition
 * @param awaited cores that it does not have, and is to have back before others of its tier
 */
public record Holding(
    int node,
    NodeShare share,
    int uid,
    boolean onlyOwnUser,
    String partition,
    @Nullable Integer together,
    long end,
    int tier,
    List<Integer> awaited) {
  /** What is left of it while the job is suspended. */
  public Holding withoutCores() {
    NodeShare left = share.withoutCores();
    return new Holding(node, left, uid, onlyOwnUser, partition, null, Times.NEVER, tier, List.of());
  }

  /** The same, which is to have these cores back. */
  Holding awaiting(List<Integer> cores) {
    return new Holding(node, share, uid, onlyOwnUser, partition, together, end, tier, cores);
  }
}
