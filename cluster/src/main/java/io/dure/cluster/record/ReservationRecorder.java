package io.dure.cluster.record;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.HostList;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.record.AccountingRecord;
import io.dure.model.config.NodeConfig;
import io.dure.model.gres.GresCount;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The records of reservations, and of nodes that are away for maintenance. */
final class ReservationRecorder {
  private ReservationRecorder() {}

  /** What changed of a reservation at a time; nothing without a time. */
  static void record(
      ClusterState before,
      ClusterState after,
      String name,
      @Nullable Instant at,
      List<AccountingRecord> records) {
    if (at == null) {
      return;
    }
    Reservation earlier = before.reservationBook().named(name);
    Reservation now = after.reservationBook().named(name);
    if (now != null) {
      records.add(time(after, now, at, false));
    } else if (earlier != null) {
      records.add(time(before, earlier, at, true));
    }
    TreeSet<String> nodes = new TreeSet<>();
    for (Reservation one : new Reservation[] {earlier, now}) {
      if (one != null && one.is(ReservationFlag.MAINT)) {
        nodes.addAll(one.nodes());
      }
    }
    NodeRecorder recorder = new NodeRecorder(before, after, records);
    nodes.forEach(node -> recorder.changed(node, at));
  }

  /** Whether nodes are away for maintenance, unless a job is on them. */
  static boolean maintains(ClusterState state) {
    return state.reservations().stream()
        .anyMatch(one -> one.is(ReservationFlag.MAINT) && one.begun());
  }

  private static AccountingRecord time(
      ClusterState state, Reservation one, Instant at, boolean over) {
    return new AccountingRecord.ReservationTime(
        at,
        one.id(),
        one.name(),
        one.start(at),
        one.end(at),
        HostList.compress(one.nodes()),
        tres(state, one),
        one.flags().stream().map(ReservationFlag::word).toList(),
        one.access().users(),
        one.access().accounts(),
        over);
  }

  private static TresAmounts tres(ClusterState state, Reservation one) {
    long cpus = 0;
    for (String name : one.nodes()) {
      NodeRecord node = state.node(name);
      if (node != null) {
        NodeConfig.Shape shape = node.config().shape();
        int all = Math.max(1, shape.sockets() * shape.coresPerSocket());
        List<Integer> some = one.coresOf(name);
        cpus +=
            some == null
                ? node.config().effectiveCpus()
                : (long) some.size() * Math.max(1, shape.cpus() / all);
      }
    }
    TresAmounts tres = TresAmounts.NONE.with(TresAmounts.CPU, cpus);
    for (GresCount some : one.wish().gres()) {
      tres = tres.plus("gres/" + some.name(), some.count());
    }
    return tres;
  }
}
