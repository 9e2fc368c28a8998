package io.dure.cluster.decide.node;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.power.PowerSettings;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Which nodes have been idle for so long that they are switched off. Used once. */
final class IdleNodes {
  private final ClusterState state;
  private final PowerSettings power;
  private final PowerTimes times;
  private final Instant now;

  /** Nodes that stay on whatever happens. */
  private final TreeSet<String> kept = new TreeSet<>();

  IdleNodes(ClusterState state, PowerTimes times, Instant now) {
    this.state = state;
    this.power = state.settings().power();
    this.times = times;
    this.now = now;
    for (PartitionConfig partition : state.partitions()) {
      if (power.keptPartitions().contains(partition.name())) {
        kept.addAll(partition.nodes());
      }
    }
    reservations();
  }

  private void reservations() {
    boolean maintenance = power.keptStates().contains("MAINTENANCE");
    boolean reserved = power.keptStates().contains("RESERVED");
    if (maintenance || reserved) {
      for (Reservation one : state.reservations()) {
        boolean keeps = one.is(ReservationFlag.MAINT) ? maintenance : reserved;
        if (keeps && one.active(now)) {
          kept.addAll(one.nodes());
        }
      }
    }
  }

  /** Those to switch off, in the order of the configuration. */
  List<NodeRecord> toSuspend() {
    List<NodeRecord> due = new ArrayList<>();
    for (NodeRecord node : state.nodes().values()) {
      if (isIdle(node) && isDue(node) && !kept.contains(node.name()) && !isKeptByState(node)) {
        due.add(node);
      }
    }
    if (!due.isEmpty()) {
      power.keptUp().forEach(some -> keep(some, due));
    }
    return due;
  }

  private static boolean isIdle(NodeRecord node) {
    NodeConfig.State how = node.config().state();
    return node.shares().isEmpty()
        && node.condition().away() == null
        && how != NodeConfig.State.FUTURE
        && how != NodeConfig.State.EXTERNAL;
  }

  private boolean isDue(NodeRecord node) {
    Duration time = times.suspendTime(node.config());
    Instant busy = node.lastBusy();
    return time != null && busy != null && !now.isBefore(busy.plus(time));
  }

  private boolean isKeptByState(NodeRecord node) {
    for (String word : power.keptStates()) {
      boolean is =
          switch (word) {
            case "CLOUD" -> node.config().state() == NodeConfig.State.CLOUD;
            case "DOWN" -> node.condition().down();
            case "DRAIN" -> node.condition().drain();
            case "FAIL" -> node.condition().fail();
            case "NOT_RESPONDING" -> !node.responding();
            case "DYNAMIC_NORM" -> node.dynamic();
            default -> false;
          };
      if (is) {
        return true;
      }
    }
    return false;
  }

  /** Leaves so many of some nodes on as are idle and usable. */
  private void keep(PowerSettings.KeptUp some, List<NodeRecord> due) {
    int on = 0;
    for (String name : some.nodes()) {
      NodeRecord node = state.node(name);
      boolean usable =
          node != null && node.responding() && isIdle(node) && node.condition().reason() == null;
      on += usable && !due.contains(node) ? 1 : 0;
    }
    int more = some.count() == Integer.MAX_VALUE ? some.count() : some.count() - on;
    for (int i = 0; i < due.size() && more > 0; ) {
      if (some.nodes().contains(due.get(i).name())) {
        due.remove(i);
        more--;
      } else {
        i++;
      }
    }
  }
}
