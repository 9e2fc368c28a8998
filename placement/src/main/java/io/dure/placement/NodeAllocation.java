package io.dure.placement;

import io.dure.model.job.NodeShare;
import io.dure.rules.PlannerTime;
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
 * @param end when it will give it back, seconds since 1970; {@link PlannerTime#NEVER} for never
 * @param tier PriorityTier of that partition
 * @param awaited cores that it does not have, and is to have back before others of its tier
 */
public record NodeAllocation(
    int node,
    NodeShare share,
    int uid,
    boolean onlyOwnUser,
    String partition,
    @Nullable Integer together,
    long end,
    int tier,
    List<Integer> awaited) {
  /** What no job holds, but is not there until then. */
  static NodeAllocation ofNode(int node, NodeShare share, long end) {
    return new NodeAllocation(node, share, -1, false, "", null, end, 0, List.of());
  }

  /** What is left of it while the job is suspended. */
  public NodeAllocation withoutCores() {
    NodeShare left = share.withoutCores();
    return new NodeAllocation(
        node, left, uid, onlyOwnUser, partition, null, PlannerTime.NEVER, tier, List.of());
  }

  /** The same, which is to have these cores back. */
  NodeAllocation awaiting(List<Integer> cores) {
    return new NodeAllocation(node, share, uid, onlyOwnUser, partition, together, end, tier, cores);
  }
}
