package io.dure.cluster.record;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.HostList;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.config.NodeConfig;
import io.dure.model.gres.CountedGres;
import io.dure.model.gres.GresDevice;
import io.dure.model.gres.License;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeLife;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The records of what the cluster has, and of nodes that take no jobs. */
final class NodeRecorder {
  /** The word for a node that takes jobs. */
  private static final String IN_SERVICE = "";

  private final ClusterState before;
  private final ClusterState after;
  private final List<AccountingRecord> records;

  NodeRecorder(ClusterState before, ClusterState after, List<AccountingRecord> records) {
    this.before = before;
    this.after = after;
    this.records = records;
  }

  /** Everything as it is: what a database that began later, or lost something, needs. */
  void all(Instant at) {
    capacity(at);
    for (NodeRecord node : after.nodes().values()) {
      NodeRecord earlier = before.node(node.name());
      if (!state(after, node).equals(IN_SERVICE)
          || earlier != null && !state(before, earlier).equals(IN_SERVICE)) {
        outage(node, at);
      }
    }
    List<String> out = new ArrayList<>();
    for (NodeRecord node : after.nodes().values()) {
      if (!state(after, node).equals(IN_SERVICE)) {
        out.add(node.name());
      }
    }
    records.add(new AccountingRecord.NodesOut(at, HostList.compress(out)));
  }

  /** What an event changed that is of one node; nothing without a time. */
  void changed(String name, @Nullable Instant at) {
    if (at == null) {
      return;
    }
    NodeRecord earlier = before.node(name);
    NodeRecord now = after.node(name);
    if (earlier == null || now == null || hasOther(earlier, now)) {
      capacity(at);
    }
    if (now == null) {
      if (earlier != null) {
        gone(earlier, at);
      }
    } else if (earlier == null ? !state(after, now).equals(IN_SERVICE) : differs(earlier, now)) {
      outage(now, at);
    }
  }

  private static boolean hasOther(NodeRecord earlier, NodeRecord now) {
    boolean same = earlier.config().equals(now.config()) && earlier.exists() == now.exists();
    return !same && !tres(earlier).equals(tres(now));
  }

  private boolean differs(NodeRecord earlier, NodeRecord now) {
    String state = state(after, now);
    return !state.equals(state(before, earlier))
        || !state.equals(IN_SERVICE)
            && (!reason(now).equals(reason(earlier))
                || now.condition().reasonUid() != earlier.condition().reasonUid());
  }

  private void gone(NodeRecord node, Instant at) {
    if (!state(before, node).equals(IN_SERVICE)) {
      records.add(
          new AccountingRecord.NodeOutage(node.name(), at, IN_SERVICE, "", 0, TresAmounts.NONE));
    }
  }

  private void outage(NodeRecord node, Instant at) {
    records.add(
        new AccountingRecord.NodeOutage(
            node.name(),
            at,
            state(after, node),
            reason(node),
            node.condition().reasonUid(),
            tres(node)));
  }

  private static String reason(NodeRecord node) {
    String reason = node.condition().reason();
    return reason == null ? "" : reason;
  }

  /** Slurm's word for what keeps jobs away; one that drains counts once its jobs are over. */
  private static String state(ClusterState of, NodeRecord node) {
    if (!node.exists()) {
      return IN_SERVICE; // is not of the cluster
    }
    NodeCondition condition = node.condition();
    boolean empty = node.shares().isEmpty();
    if (empty && isMaintained(of, node.name())) {
      return "MAINT";
    }
    if (condition.down()) {
      String drained = condition.drain() ? "+DRAIN" : "";
      return (node.responding() ? "DOWN" : "DOWN*") + drained;
    } else if (condition.isOff()) {
      return away(condition.away());
    } else if (condition.drain() && empty) {
      return "DRAIN";
    }
    return condition.fail() && empty ? "FAIL" : IN_SERVICE;
  }

  /** Whether a reservation for maintenance has a node as a whole, and has begun. */
  private static boolean isMaintained(ClusterState of, String node) {
    for (Reservation one : of.reservations()) {
      if (one.is(ReservationFlag.MAINT)
          && one.begun()
          && one.cores().isEmpty()
          && one.nodes().contains(node)) {
        return true;
      }
    }
    return false;
  }

  private static String away(NodeLife.@Nullable Away away) {
    return switch (away) {
      case NodeLife.PoweredDown _ -> "POWERED_DOWN";
      case NodeLife.PoweringUp _ -> "POWERING_UP";
      case NodeLife.PoweringDown _ -> "POWERING_DOWN";
      case NodeLife.Rebooting _ -> "REBOOT_ISSUED";
      case NodeLife.Lent _ -> "PLANNED_DOWN";
      case null -> IN_SERVICE;
    };
  }

  private void capacity(Instant at) {
    List<String> names = new ArrayList<>();
    Map<String, Long> sums = new TreeMap<>(TresAmounts.order());
    for (NodeRecord node : after.nodes().values()) {
      if (node.exists()) {
        names.add(node.name());
        for (TresAmounts.Amount amount : tres(node).amounts()) {
          sums.merge(amount.name(), amount.amount(), Long::sum);
        }
      }
    }
    for (License one : after.licenses()) {
      if (after.settings().resources().trackedTres().contains(one.tres())) {
        sums.merge(one.tres(), (long) one.count(), Long::sum);
      }
    }
    List<TresAmounts.Amount> amounts = new ArrayList<>();
    sums.forEach((name, amount) -> amounts.add(new TresAmounts.Amount(name, amount)));
    records.add(
        new AccountingRecord.ClusterCapacity(
            at, HostList.compress(names), names.size(), new TresAmounts(amounts)));
  }

  /** What a node has for jobs; nothing where it does not exist. */
  private static TresAmounts tres(NodeRecord node) {
    if (!node.exists()) {
      return TresAmounts.NONE;
    }
    NodeConfig config = node.config();
    int cpus = config.effectiveCpus();
    TresAmounts has =
        TresAmounts.NONE
            .with(TresAmounts.CPU, cpus)
            .with(
                TresAmounts.MEMORY, Math.max(0, config.realMemoryMib() - config.memSpecLimitMib()))
            .with(TresAmounts.NODE, 1)
            .with(TresAmounts.BILLING, cpus);
    for (GresDevice device : config.resources().devices()) {
      has = plus(has, device.name(), device.type(), 1);
    }
    for (CountedGres stock : config.resources().stocks()) {
      has = plus(has, stock.name(), stock.type(), stock.count());
    }
    return has;
  }

  private static TresAmounts plus(TresAmounts has, String name, @Nullable String type, long count) {
    TresAmounts more = has.plus("gres/" + name, count);
    return type == null ? more : more.plus("gres/" + name + ":" + type, count);
  }
}
