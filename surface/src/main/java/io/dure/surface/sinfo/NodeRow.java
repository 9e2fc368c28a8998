package io.dure.surface.sinfo;

import io.dure.model.HostList;
import io.dure.model.config.PartitionConfig;
import io.dure.surface.facts.NodeDetails;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Nodes of one line: those of a partition that agree in what is printed. For one thread. */
public final class NodeRow {

  private final PartitionConfig partition;
  private final int place;
  private final List<NodeDetails> nodes = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  /** A row without nodes; {@code place} is the partition's in the configuration. */
  public NodeRow(PartitionConfig partition, int place) {
    this.partition = partition;
    this.place = place;
  }

  /** Adds a node unless it is there by another partition. */
  public void add(NodeDetails node) {
    if (names.add(node.name())) {
      nodes.add(node);
    }
  }

  public PartitionConfig partition() {
    return partition;
  }

  int place() {
    return place;
  }

  List<NodeDetails> nodes() {
    return nodes;
  }

  /** The first node, or null if there is none. */
  @Nullable NodeDetails first() {
    return nodes.isEmpty() ? null : nodes.get(0);
  }

  /** The nodes as a host list. */
  String nodeList() {
    if (nodes.size() == 1) {
      return nodes.get(0).name();
    }
    return HostList.compress(names);
  }
}
