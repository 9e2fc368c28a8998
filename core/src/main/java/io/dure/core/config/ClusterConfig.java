package io.dure.core.config;

import java.util.List;
import java.util.Map;

/**
 * A cluster as its configuration describes it.
 *
 * @param settings the values Dure acts on
 * @param raw every key given, as written, by its canonical name, in alphabetical order
 * @param nodes nodes in the order of the file
 * @param partitions partitions in the order of the file
 */
public record ClusterConfig(
    Settings settings,
    Map<String, String> raw,
    List<NodeConfig> nodes,
    List<PartitionConfig> partitions) {}
