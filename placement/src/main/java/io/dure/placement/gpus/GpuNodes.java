package io.dure.placement.gpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** What is free of the GPUs of all nodes, kept up by what changes. One thread. */
public final class GpuNodes {
  private final GpuTypes types;
  private final List<? extends GpuNodeView> hosts;
  private final List<List<GpuNode>> nodes;
  private final BitSet changed = new BitSet();
  private final int[] versions;

  /** How many nodes with so many GPUs are whole. */
  private int[] whole = new int[1];

  /**
   * All nodes as they are.
   *
   * @param hosts the nodes; that they change is to be said by {@link #changed}
   */
  public GpuNodes(GpuTypes types, List<? extends GpuNodeView> hosts) {
    this.types = types;
    this.hosts = hosts;
    nodes = new ArrayList<>(hosts.size());
    versions = new int[hosts.size()];
    for (int i = 0; i < hosts.size(); i++) {
      nodes.add(List.of());
      changed.set(i, hosts.get(i).gres() != null);
    }
  }

  /** Something of a node was taken or given back. */
  public void changed(int index) {
    if (hosts.get(index).gres() != null) {
      changed.set(index);
    }
  }

  /** What is free of a node, once for each type of GPUs that it has. */
  List<GpuNode> of(int index) {
    if (changed.get(index)) {
      look(index);
    }
    return nodes.get(index);
  }

  /** How many nodes with so many GPUs are whole. */
  int whole(int gpus) {
    for (int i = changed.nextSetBit(0); i >= 0; i = changed.nextSetBit(i + 1)) {
      look(i);
    }
    return gpus < whole.length ? whole[gpus] : 0;
  }

  private void look(int index) {
    nodes.get(index).forEach(node -> count(node, -1));
    nodes.set(index, types.nodes(hosts.get(index)));
    nodes.get(index).forEach(node -> count(node, 1));
    changed.clear(index);
    versions[index]++;
  }

  int count() {
    return versions.length;
  }

  /** Counts the changes of a node that were seen. */
  int version(int index) {
    return versions[index];
  }

  private void count(GpuNode node, int sign) {
    if (node.gpus() >= whole.length) {
      whole = Arrays.copyOf(whole, node.gpus() + 1);
    }
    whole[node.gpus()] += node.isWhole() ? sign : 0;
  }
}
