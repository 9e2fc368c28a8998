package io.dure.model.config.topology;

import org.jspecify.annotations.Nullable;

/**
 * One of several networks of a cluster, which partitions choose by name.
 *
 * @param name what partitions call it
 * @param topology how it joins the nodes, null where all are alike ({@code flat})
 * @param isDefault whether it is that of partitions that name none
 */
public record NamedTopology(String name, @Nullable Topology topology, boolean isDefault) {}
