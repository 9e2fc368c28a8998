package io.dure.placement.gpus;

import io.dure.model.report.GpuTaskShape;
import io.dure.model.request.ResourceRequest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What it costs those to come that a job starts on a node, in numbers that order nodes. Made for
 * the shapes asked for at a time. One thread.
 */
public final class GpuNodeRanking {
  private static final double EXACT = 1e9;

  /** Those that stand for nearly all jobs of a cluster, so that a start takes some microseconds. */
  private static final int MOST_SHAPES = 64;

  private static final long NO_ROOM = Long.MAX_VALUE;

  private final GpuTypes types;
  private final GpuPlacementCost costs;

  private final GpuNodes nodes;
  private final Map<GpuTaskShape, Known> known = new LinkedHashMap<>();

  /** What places of a shape cost, as far as it was asked. */
  private static final class Known {
    final int[] versions;
    final long[] costs;

    /** The node that was asked of last, and what was found: nodes that are alike stand together. */
    @Nullable GpuNode last;

    long lastCost;

    Known(int nodes) {
      versions = new int[nodes];
      costs = new long[nodes];
      Arrays.fill(versions, -1);
    }
  }

  /**
   * A ranking.
   *
   * @param demand the shapes asked for; the job itself is among them
   * @param nodes all nodes
   */
  public GpuNodeRanking(GpuDemand demand, GpuNodes nodes) {
    this.nodes = nodes;
    types = demand.types();
    costs = new GpuPlacementCost(demand.counts(), MOST_SHAPES, types.gpus(), GpuCostWeights.USUAL);
  }

  /** What a request asks of one of its nodes; null where it asks for no GPU nor a part of one. */
  public @Nullable GpuTaskShape shape(ResourceRequest request) {
    return types.shape(request);
  }

  /** What a place there costs, least is best; the highest number where the shape has no room. */
  public long cost(GpuTaskShape shape, int index) {
    Known its = known.computeIfAbsent(shape, _ -> new Known(nodes.count()));
    List<GpuNode> here = nodes.of(index);
    if (its.versions[index] != nodes.version(index)) {
      its.versions[index] = nodes.version(index);
      its.costs[index] = NO_ROOM;
      for (GpuNode node : here) {
        its.costs[index] = Math.min(its.costs[index], cost(shape, node, its));
      }
    }
    long cost = its.costs[index];
    if (cost < NO_ROOM && here.size() == 1) {
      GpuNode node = here.getFirst();
      boolean breaks = node.isWhole() && shape.gpuMilli() < node.gpuMilli();
      cost += breaks ? Math.round(EXACT * breaking(node.gpus())) : 0;
    }
    return cost;
  }

  private double breaking(int gpus) {
    return costs.breaking(gpus, Math.max(1, nodes.whole(gpus)));
  }

  private long cost(GpuTaskShape shape, GpuNode node, Known its) {
    if (!node.hosts(shape)) {
      return NO_ROOM;
    }
    if (its.last == null || !node.isLike(its.last)) {
      its.last = node;
      its.lastCost = Math.round(EXACT * costs.place(0, node, shape, costs.standing(node)).cost());
    }
    return its.lastCost;
  }
}
