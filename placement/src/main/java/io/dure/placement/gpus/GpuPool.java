package io.dure.placement.gpus;

import io.dure.model.report.GpuTaskShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Nodes with GPUs, and where among them a task lies best. What a place costs is remembered for each
 * shape until the node changes. One thread.
 */
public final class GpuPool {
  private static final double EXACT = 1e9;

  private final List<GpuNode> nodes;
  private final GpuCostFunction rule;
  private final double[] standing;
  private final int[] seen;

  /** How many nodes with so many GPUs are whole. */
  private final int[] whole;

  private final Map<GpuTaskShape, Known> known = new LinkedHashMap<>();

  /** What places of one shape cost, as far as it is known. */
  private static final class Known {
    final int[] version;
    final long[] cost;
    final int[] gpu;

    Known(int nodes) {
      version = new int[nodes];
      cost = new long[nodes];
      gpu = new int[nodes];
      Arrays.fill(version, -1);
    }
  }

  /** The node that a task gets, and the GPU of it that it shares. */
  public record Chosen(int node, int gpu) {}

  /** A pool of nodes, which go on changing. */
  public GpuPool(List<GpuNode> nodes, GpuCostFunction rule) {
    this.nodes = new ArrayList<>(nodes);
    this.rule = rule;
    standing = new double[nodes.size()];
    seen = new int[nodes.size()];
    Arrays.fill(seen, -1);
    whole = new int[1 + nodes.stream().mapToInt(GpuNode::gpus).max().orElse(0)];
  }

  /** Where a task lies best; null if no node has room for it. The pool stays as it is. */
  public @Nullable Chosen choose(GpuTaskShape shape) {
    Known its = known.computeIfAbsent(shape, _ -> new Known(nodes.size()));
    refresh(its, shape);
    int best = -1;
    long least = Long.MAX_VALUE;
    for (int i = 0; i < seen.length; i++) {
      if (its.cost[i] < Long.MAX_VALUE) {
        long cost = its.cost[i] + breaking(nodes.get(i), shape);
        if (best < 0 || cost < least || cost == least && isTighter(i, best)) {
          best = i;
          least = cost;
        }
      }
    }
    return best < 0 ? null : new Chosen(best, its.gpu[best]);
  }

  private void refresh(Known its, GpuTaskShape shape) {
    Arrays.fill(whole, 0);
    for (int i = 0; i < seen.length; i++) {
      GpuNode node = nodes.get(i);
      if (its.version[i] != node.version()) {
        look(its, i, shape);
      }
      whole[node.gpus()] += node.isWhole() ? 1 : 0;
    }
  }

  private long breaking(GpuNode node, GpuTaskShape shape) {
    boolean breaks = node.isWhole() && shape.gpus() > 0 && shape.gpuMilli() < node.gpuMilli();
    return breaks ? Math.round(rule.breaking(node.gpus(), whole[node.gpus()]) * EXACT) : 0;
  }

  private void look(Known its, int index, GpuTaskShape shape) {
    GpuNode node = nodes.get(index);
    its.version[index] = node.version();
    if (!node.hosts(shape)) {
      its.cost[index] = Long.MAX_VALUE;
      return;
    }
    if (seen[index] != node.version()) {
      seen[index] = node.version();
      standing[index] = rule.standing(node);
    }
    GpuCostFunction.GpuPlace place = rule.place(index, node, shape, standing[index]);
    its.cost[index] = Math.round(place.cost() * EXACT);
    its.gpu[index] = place.gpu();
  }

  /** By what a node is, never by its name: nodes are filled alike whatever they are called. */
  private boolean isTighter(int one, int other) {
    GpuNode a = nodes.get(one);
    GpuNode b = nodes.get(other);
    int order = Integer.compare(a.gpuMilli(), b.gpuMilli());
    order = order == 0 ? Integer.compare(a.type(), b.type()) : order;
    order = order == 0 ? Long.compare(a.cpuMilli(), b.cpuMilli()) : order;
    order = order == 0 ? Long.compare(a.memoryMib(), b.memoryMib()) : order;
    return order == 0 ? Arrays.compare(a.sorted(), b.sorted()) < 0 : order < 0;
  }
}
