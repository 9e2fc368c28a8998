package io.dure.twin.gpupacking;

import io.dure.placement.gpus.GpuNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/**
 * The nodes of a list, in order of their names.
 *
 * @param types the types of GPUs, in order
 */
record GpuCluster(List<Node> nodes, List<String> types) {
  GpuCluster {
    nodes = List.copyOf(nodes);
    types = List.copyOf(types);
  }

  /**
   * A node as its list describes it.
   *
   * @param type of its GPUs
   */
  record Node(String name, long cpuMilli, long memoryMib, int gpus, String type) {}

  static GpuCluster of(List<Node> nodes) {
    TreeSet<String> types = new TreeSet<>();
    nodes.forEach(node -> types.add(node.type()));
    List<Node> order = nodes.stream().sorted(Comparator.comparing(Node::name)).toList();
    return new GpuCluster(order, List.copyOf(types));
  }

  /** The same nodes under each other's names. */
  GpuCluster renamed(long seed) {
    List<String> names = new ArrayList<>(nodes.stream().map(Node::name).toList());
    Collections.shuffle(names, new Random(seed));
    List<Node> renamed = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      Node node = nodes.get(i);
      renamed.add(
          new Node(names.get(i), node.cpuMilli(), node.memoryMib(), node.gpus(), node.type()));
    }
    return of(renamed);
  }

  /** Its nodes with nothing on them. */
  List<GpuNode> empty() {
    return nodes.stream()
        .map(node ->
            new GpuNode(types.indexOf(node.type()), node.cpuMilli(), node.memoryMib(), node.gpus()))
        .toList();
  }

  /** How many GPUs there are of each type. */
  long[] gpusOfTypes() {
    long[] gpus = new long[types.size()];
    for (Node node : nodes) {
      gpus[types.indexOf(node.type())] += node.gpus();
    }
    return gpus;
  }

  /** How many GPUs there are. */
  int gpus() {
    return nodes.stream().mapToInt(Node::gpus).sum();
  }

  /** Thousandths of all GPUs. */
  long capacityMilli() {
    return nodes.stream().mapToLong(node -> node.gpus() * 1000L).sum();
  }
}
