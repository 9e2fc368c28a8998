package io.dure.core.scheduler.gpus;

import io.dure.core.model.ResourceRequest;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What it costs those to come that a job starts on a node, in numbers that order nodes. Made for
 * the shapes asked for at a time. One thread.
 */
public final class GpuRanking {
  private static final double EXACT = 1e9;
  private static final long NO_ROOM = Long.MAX_VALUE;

  private final GpuTypes types;
  private final GpuCosts costs;

  /** How many nodes with so many GPUs are whole. */
  private final int[] whole;

  private @Nullable GpuNode last;
  private @Nullable GpuShape lastShape;
  private long lastCost;

  /**
   * A ranking.
   *
   * @param demand the shapes asked for; the job itself is among them
   * @param hosts all nodes
   */
  public GpuRanking(GpuDemand demand, Collection<? extends GpuHost> hosts) {
    types = demand.types();
    costs = new GpuCosts(demand.counts(), types.gpus(), GpuWeights.USUAL);
    int most = 0;
    for (GpuHost host : hosts) {
      for (GpuNode node : types.nodes(host)) {
        most = Math.max(most, node.gpus());
      }
    }
    whole = new int[most + 1];
    for (GpuHost host : hosts) {
      for (GpuNode node : types.nodes(host)) {
        whole[node.gpus()] += node.isWhole() ? 1 : 0;
      }
    }
  }

  /** What a request asks of one of its nodes; null where it asks for no GPU nor a part of one. */
  public @Nullable GpuShape shape(ResourceRequest request) {
    return types.shape(request);
  }

  /** What a place there costs, least is best; the highest number where the shape has no room. */
  public long cost(GpuShape shape, GpuHost host) {
    long best = NO_ROOM;
    List<GpuNode> nodes = types.nodes(host);
    for (GpuNode node : nodes) {
      best = Math.min(best, cost(shape, node));
    }
    return best;
  }

  private long cost(GpuShape shape, GpuNode node) {
    if (!node.hosts(shape)) {
      return NO_ROOM;
    }
    // Nodes that are alike stand side by side, and are asked one after the other.
    if (last != null && shape.equals(lastShape) && node.isLike(last)) {
      return lastCost;
    }
    double cost = costs.place(0, node, shape, costs.standing(node)).cost();
    if (node.isWhole() && shape.gpuMilli() < node.gpuMilli()) {
      cost += costs.breaking(node.gpus(), whole[node.gpus()]);
    }
    last = node;
    lastShape = shape;
    lastCost = Math.round(cost * EXACT);
    return lastCost;
  }
}
