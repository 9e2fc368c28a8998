package io.dure.placement.gpus;

import io.dure.model.gres.CountedGres;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.NodeGres;
import io.dure.model.report.GpuTaskShape;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.placement.gres.GresDemand;
import io.dure.placement.gres.GresLoad;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The types of GPUs of a cluster, by which its nodes and what is asked of them are counted alike.
 * GPUs without a type are one of their own; of more than 64 types those behind count as one.
 */
public final class GpuTypes {
  private static final String SHARD = "shard";
  private static final String UNTYPED = "";

  private final List<String> names;
  private final long[] gpus;

  /** Into how many parts a GPU is shared, 1 where none is. */
  private final long parts;

  /** The types of these nodes. */
  public GpuTypes(Collection<NodeGres> nodes) {
    TreeMap<String, Long> counts = new TreeMap<>();
    long most = 1;
    for (NodeGres node : nodes) {
      for (GresDevice device : node.devices()) {
        if (device.name().equals(GresCount.GPU)) {
          counts.merge(name(device), 1L, Long::sum);
        }
      }
      for (CountedGres stock : node.stocks()) {
        most = stock.gpu() == null ? most : Math.max(most, stock.count());
      }
    }
    names = List.copyOf(counts.keySet());
    parts = most;
    gpus = new long[Math.min(names.size(), GpuTaskShape.MOST_TYPES)];
    counts.forEach((name, count) -> gpus[number(name)] += count);
  }

  private static String name(GresDevice device) {
    return Objects.requireNonNullElse(device.type(), UNTYPED);
  }

  private int number(String name) {
    return Math.min(names.indexOf(name), GpuTaskShape.MOST_TYPES - 1);
  }

  /** Their names in order, empty for GPUs without one. */
  public List<String> names() {
    return names;
  }

  /** How many GPUs there are of each. */
  public long[] gpus() {
    return gpus.clone();
  }

  /** Whether there are any. */
  public boolean isEmpty() {
    return names.isEmpty();
  }

  /** What a request asks of one of its nodes; null where it asks for no GPU nor a part of one. */
  public @Nullable GpuTaskShape shape(ResourceRequest request) {
    int nodes = Math.max(1, request.minNodes());
    GresDemand need = request.gres() == null ? null : GresDemand.of(request, nodes == 1 ? 1 : 2);
    if (need == null) {
      return null;
    }
    int tasks = (request.tasks() + nodes - 1) / nodes;
    long whole = 0;
    long shared = 0;
    long types = 0;
    for (GresDemand.GresAsk ask : need.asks()) {
      long count = ask.forTasks(tasks) + (ask.perJob() + nodes - 1) / nodes;
      boolean gpu = ask.name().equals(GresCount.GPU);
      whole += gpu ? count : 0;
      shared += ask.name().equals(SHARD) ? count : 0;
      types |= gpu || ask.name().equals(SHARD) ? bits(ask.type()) : 0;
    }
    if (whole + shared == 0) {
      return null;
    }
    long cpus = Math.max(request.minCpusPerNode(), (long) tasks * request.cpusPerTask());
    cpus = Math.max(cpus, need.cpusPerGpu() * whole);
    long memory =
        switch (request.memory()) {
          case MemoryRequest.PerNode(long mib) -> mib;
          case MemoryRequest.PerCpu(long mib) -> mib * cpus;
          case MemoryRequest.PerGpu(long mib) -> mib * whole;
          case MemoryRequest.Default _ -> 0;
        };
    long milli = (shared * GpuTaskShape.WHOLE + parts - 1) / parts;
    boolean partly = whole == 0 && milli < GpuTaskShape.WHOLE;
    long count = partly ? 1 : whole + (milli + GpuTaskShape.WHOLE - 1) / GpuTaskShape.WHOLE;
    return new GpuTaskShape(
        cpus * 1000,
        memory,
        (int) Math.min(count, Integer.MAX_VALUE / GpuTaskShape.WHOLE),
        partly ? (int) milli : GpuTaskShape.WHOLE,
        types);
  }

  private long bits(@Nullable String type) {
    if (type == null) {
      return GpuTaskShape.ANY_TYPE;
    }
    return names.contains(type) ? 1L << number(type) : 0;
  }

  /** What is free of a node, once for each type of GPUs that it has. */
  public List<GpuNode> nodes(GpuNodeView host) {
    GresLoad load = host.gres();
    if (load == null) {
      return List.of();
    }
    TreeMap<Integer, List<Integer>> left = new TreeMap<>();
    for (int i = 0; i < load.devices().size(); i++) {
      GresDevice device = load.devices().get(i);
      if (device.name().equals(GresCount.GPU)) {
        left.computeIfAbsent(number(name(device)), _ -> new ArrayList<>()).add(load.freeMilli(i));
      }
    }
    List<GpuNode> nodes = new ArrayList<>(left.size());
    left.forEach((type, parts) ->
        nodes.add(
            new GpuNode(
                type,
                Math.max(0, host.freeCpus()) * 1000L,
                Math.max(0, host.freeMemoryMib()),
                parts.stream().mapToInt(Integer::intValue).toArray())));
    return nodes;
  }
}
