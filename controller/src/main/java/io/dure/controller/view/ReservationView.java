package io.dure.controller.view;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.command.Caller;
import io.dure.model.config.NodeConfig;
import io.dure.model.gres.License;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import io.dure.protocol.ReservationInfo;
import io.dure.protocol.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reservations as they are shown. Any thread. */
public final class ReservationView {
  private ReservationView() {}

  /** The reservations that the caller may see (PrivateData). */
  public static Response.Reservations of(ClusterState state, Caller.User caller, Instant now) {
    List<ReservationInfo> infos = new ArrayList<>();
    AccountVisibility visible = new AccountVisibility(state, caller);
    for (Reservation reservation : state.reservations()) {
      if (!visible.sees(reservation)) {
        continue;
      }
      int cores = 0;
      int cpus = 0;
      for (String name : reservation.nodes()) {
        NodeRecord node = state.node(name);
        if (node != null) {
          NodeConfig.Shape shape = node.config().shape();
          int all = shape.sockets() * shape.coresPerSocket();
          List<Integer> some = reservation.coresOf(name);
          cores += some == null ? all : some.size();
          cpus += some == null ? shape.cpus() : some.size() * Math.max(1, shape.cpus() / all);
        }
      }
      Reservation shown = reservation.at(reservation.start(now), reservation.end(now));
      infos.add(new ReservationInfo(shown, reservation.active(now), cores, cpus));
    }
    return new Response.Reservations(infos, now);
  }

  /** The licences that reservations keep now. */
  static List<License> licenses(ClusterState state, Instant now) {
    List<License> kept = List.of();
    for (Reservation reservation : state.reservations()) {
      if (reservation.active(now)) {
        kept = License.sum(kept, reservation.licenses(), 1);
      }
    }
    return kept;
  }

  /**
   * The reservation that each node is in now as a whole, by its name; work on it comes before all
   * others.
   */
  static Map<String, Reservation> byNode(ClusterState state, Instant now) {
    Map<String, Reservation> byNode = new TreeMap<>();
    for (Reservation reservation : state.reservations()) {
      if (reservation.active(now) && reservation.cores().isEmpty()) {
        for (String node : reservation.nodes()) {
          if (reservation.is(ReservationFlag.MAINT)) {
            byNode.put(node, reservation);
          } else {
            byNode.putIfAbsent(node, reservation);
          }
        }
      }
    }
    return byNode;
  }
}
