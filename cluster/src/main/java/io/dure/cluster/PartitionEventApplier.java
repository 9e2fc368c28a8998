package io.dure.cluster;

import io.dure.model.config.PartitionConfig;
import java.util.ArrayList;
import java.util.List;

/** What the events of partitions make of the state; part of {@link EventApplier}. */
final class PartitionEventApplier {
  private PartitionEventApplier() {}

  static void defined(ClusterState.StateBuilder parts, PartitionConfig partition) {
    List<PartitionConfig> next = new ArrayList<>();
    boolean replaced = false;
    for (PartitionConfig known : parts.partitions) {
      boolean same = known.name().equals(partition.name());
      replaced |= same;
      next.add(same ? partition : partition.isDefault() ? known.withIsDefault(false) : known);
    }
    if (!replaced) {
      next.add(partition);
    }
    parts.partitions = List.copyOf(next);
  }

  static void deleted(ClusterState.StateBuilder parts, Event.PartitionDeleted e) {
    List<PartitionConfig> left =
        parts.partitions.stream().filter(p -> !p.name().equals(e.name())).toList();
    if (left.size() == parts.partitions.size()) {
      throw new IllegalStateException("no partition for " + e);
    }
    parts.partitions = left;
  }
}
