package io.dure.model.config;

import io.dure.model.config.topology.NamedTopology;
import io.dure.model.config.topology.Topology;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cluster as its configuration file describes it.
 *
 * @param path the file it was read from
 * @param settings the values Dure acts on, typed
 * @param values the text of every key that is set or has a default, in Slurm's order; several
 *     values of one key are separated by line feeds
 * @param nodes the nodes in the order of the file
 * @param partitions the partitions in the order of the file
 * @param topology how the network joins the nodes, null where that is not known
 * @param topologies networks that partitions choose by name, one of them being {@code topology};
 *     empty where there is at most that one
 */
public record ClusterConfig(
    String path,
    ClusterSettings settings,
    Map<String, String> values,
    List<NodeConfig> nodes,
    List<PartitionConfig> partitions,
    @Nullable Topology topology,
    List<NamedTopology> topologies) {

  public ClusterConfig {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    nodes = List.copyOf(nodes);
    partitions = List.copyOf(partitions);
    // Before there were any, they were not written.
    topologies = topologies == null ? List.of() : List.copyOf(topologies);
  }

  /** The node of that name, or null. */
  public @Nullable NodeConfig node(String name) {
    return nodes.stream().filter(n -> n.name().equals(name)).findFirst().orElse(null);
  }

  /** The partition of that name, or null. */
  public @Nullable PartitionConfig partition(String name) {
    return partitions.stream().filter(p -> p.name().equals(name)).findFirst().orElse(null);
  }

  /** The partition of jobs that name none, or null. */
  public @Nullable PartitionConfig defaultPartition() {
    return partitions.stream().filter(PartitionConfig::isDefault).findFirst().orElse(null);
  }
}
