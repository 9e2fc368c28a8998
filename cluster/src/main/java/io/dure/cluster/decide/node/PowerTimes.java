package io.dure.cluster.decide.node;

import io.dure.cluster.ClusterState;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.power.PartitionPower;
import io.dure.model.config.power.PowerSettings;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How long nodes may be idle, and how long switching them takes: as node, partition or cluster say,
 * in this order; of several partitions the longest time holds.
 */
record PowerTimes(PowerSettings cluster, Map<String, PartitionPower> byNode) {

  static PowerTimes of(ClusterState state) {
    Map<String, PartitionPower> byNode = new TreeMap<>();
    for (PartitionConfig partition : state.partitions()) {
      if (!partition.power().equals(PartitionPower.NONE)) {
        for (String node : partition.nodes()) {
          byNode.merge(node, partition.power(), PowerTimes::longer);
        }
      }
    }
    return new PowerTimes(state.settings().power(), byNode);
  }

  private static PartitionPower longer(PartitionPower one, PartitionPower other) {
    return new PartitionPower(
        longer(one.suspendTime(), other.suspendTime()),
        longer(one.suspendTimeout(), other.suspendTimeout()),
        longer(one.resumeTimeout(), other.resumeTimeout()),
        one.downOnIdle() || other.downOnIdle());
  }

  private static @Nullable Duration longer(@Nullable Duration one, @Nullable Duration other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) >= 0 ? one : other;
  }

  private PartitionPower of(String node) {
    return byNode.getOrDefault(node, PartitionPower.NONE);
  }

  /** How long the node is idle before it is switched off, null for ever. */
  @Nullable Duration suspendTime(NodeConfig node) {
    PartitionPower partition = of(node.name());
    if (partition.downOnIdle()) {
      return Duration.ZERO;
    }
    Duration time = node.suspendTime() == null ? partition.suspendTime() : node.suspendTime();
    if (time == null) {
      return cluster.suspendTime();
    }
    return time.equals(PowerSettings.NEVER) ? null : time;
  }

  Duration suspendTimeout(String node) {
    Duration time = of(node).suspendTimeout();
    return time == null ? cluster.suspendTimeout() : time;
  }

  Duration resumeTimeout(String node) {
    Duration time = of(node).resumeTimeout();
    return time == null ? cluster.resumeTimeout() : time;
  }
}
