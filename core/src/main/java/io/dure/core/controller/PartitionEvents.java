package io.dure.core.controller;

import io.dure.core.config.PartitionConfig;
import java.util.ArrayList;
import java.util.List;

/** What the events of partitions make of the state; part of {@link Apply}. */
final class PartitionEvents {
  private PartitionEvents() {}

  static void defined(ClusterState.Parts parts, PartitionConfig partition) {
    List<PartitionConfig> next = new ArrayList<>();
    boolean replaced = false;
    for (PartitionConfig known : parts.partitions) {
      boolean same = known.name().equals(partition.name());
      replaced |= same;
      next.add(same ? partition : partition.isDefault() ? known.notDefault() : known);
    }
    if (!replaced) {
      next.add(partition);
    }
    parts.partitions = List.copyOf(next);
  }

  static void deleted(ClusterState.Parts parts, Event.PartitionDeleted e) {
    List<PartitionConfig> left =
        parts.partitions.stream().filter(p -> !p.name().equals(e.name())).toList();
    if (left.size() == parts.partitions.size()) {
      throw new IllegalStateException("no partition for " + e);
    }
    parts.partitions = left;
  }
}
