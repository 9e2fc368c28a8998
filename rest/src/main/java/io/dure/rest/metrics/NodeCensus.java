package io.dure.rest.metrics;

import io.dure.protocol.NodeInfo;
import io.dure.protocol.Response;
import io.dure.surface.facts.NodeDetails;
import java.util.LinkedHashMap;
import java.util.Map;

/** Counts of the nodes of one state of the cluster. Nothing of it changes. */
final class NodeCensus {
  private final NodeTally all = new NodeTally();
  private final Map<String, NodeResources> nodes = new LinkedHashMap<>();
  private final Map<String, NodeTally> partitions = new LinkedHashMap<>();

  NodeCensus(Response.Cluster cluster) {
    cluster.partitions().forEach(one -> partitions.put(one.name(), new NodeTally()));
    for (NodeInfo info : cluster.nodes()) {
      NodeDetails node = new NodeDetails(info);
      NodeResources resources = NodeResources.of(node);
      nodes.put(node.name(), resources);
      all.add(node.state(), resources);
      for (String name : info.partitions()) {
        NodeTally partition = partitions.get(name);
        if (partition != null) {
          partition.add(node.state(), resources);
        }
      }
    }
  }

  /** All nodes. */
  NodeTally all() {
    return all;
  }

  /** What each node has, in the order of the configuration. */
  Map<String, NodeResources> nodes() {
    return nodes;
  }

  /** The nodes of each partition, in the order of the configuration. */
  Map<String, NodeTally> partitions() {
    return partitions;
  }
}
