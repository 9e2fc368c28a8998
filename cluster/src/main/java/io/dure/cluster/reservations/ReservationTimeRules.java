package io.dure.cluster.reservations;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.NodeRecord;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.model.reservation.NodeCores;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import io.dure.model.reservation.ReservationRecurrence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;

/** What the passing of time makes of reservations. */
public final class ReservationTimeRules {
  private final ClusterState state;
  private final Instant now;

  private ReservationTimeRules(ClusterState state, Instant now) {
    this.state = state;
    this.now = now;
  }

  /** What has happened to one of them by now. */
  public static List<Event> events(ClusterState state, Reservation reservation, Instant now) {
    return new ReservationTimeRules(state, now).events(reservation);
  }

  private List<Event> events(Reservation reservation) {
    if (!now.isBefore(reservation.end(now))) {
      return over(reservation);
    }
    if (reservation.is(ReservationFlag.PURGE_COMP) && reservation.active(now)) {
      List<Event> purged = purge(reservation);
      if (!purged.isEmpty()) {
        return purged;
      }
    }
    Reservation placed = placed(reservation);
    if (placed.active(now) && !placed.begun() && !placed.is(ReservationFlag.TIME_FLOAT)) {
      placed = placed.withTold(placed.start());
    }
    return placed.equals(reservation)
        ? List.of()
        : List.of(new Event.ReservationDefined(placed, now));
  }

  /** Its end has come: it waits for its jobs to end, and then comes again or is gone. */
  private List<Event> over(Reservation reservation) {
    boolean waits =
        reservation.binds() && !ReservationUpdateRules.running(state, reservation.name()).isEmpty();
    if (waits) {
      return reservation.begun()
          ? List.of(new Event.ReservationDefined(reservation.withTold(null), now))
          : List.of();
    }
    Reservation next = ReservationRecurrence.after(reservation, now);
    return next == null
        ? ReservationRemoval.events(state, reservation, now)
        : List.of(new Event.ReservationDefined(next, now));
  }

  private List<Event> purge(Reservation reservation) {
    boolean used = isUsed(reservation);
    Instant idle = reservation.idleSince();
    if (used) {
      return idle == null
          ? List.of()
          : List.of(new Event.ReservationDefined(reservation.withIdleSince(null), now));
    }
    if (idle == null) {
      return List.of(new Event.ReservationDefined(reservation.withIdleSince(now), now));
    }
    if (reservation.purgeAfter() == null || now.isBefore(idle.plus(reservation.purgeAfter()))) {
      return List.of();
    }
    Reservation next = ReservationRecurrence.next(reservation);
    return next == null
        ? ReservationRemoval.events(state, reservation, now)
        : List.of(new Event.ReservationDefined(next, now));
  }

  private boolean isUsed(Reservation reservation) {
    if (!ReservationUpdateRules.running(state, reservation.name()).isEmpty()) {
      return true;
    }
    for (Job job : state.pending().values()) {
      if (job.spec().reservations().contains(reservation.name())) {
        return true;
      }
    }
    return false;
  }

  /** The same on the nodes that it has from now on. */
  private Reservation placed(Reservation reservation) {
    if (reservation.is(ReservationFlag.PART_NODES) && reservation.wish().partition() != null) {
      PartitionConfig partition = state.partition(reservation.wish().partition());
      return partition == null
          ? reservation
          : reservation.on(new ReservationNodeSelector(state, now).all(partition.name()));
    }
    if (reservation.is(ReservationFlag.SPEC_NODES) || reservation.is(ReservationFlag.STATIC)) {
      return reservation;
    }
    return replaced(reservation);
  }

  private Reservation replaced(Reservation reservation) {
    List<String> nodes = new ArrayList<>(reservation.nodes());
    List<Integer> unfit = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      NodeRecord node = state.node(nodes.get(i));
      boolean gone = node == null || !node.available();
      boolean taken =
          reservation.is(ReservationFlag.REPLACE)
              && node != null
              && reservation.touches(List.copyOf(node.shares().values()));
      if (gone || taken) {
        unfit.add(i);
      }
    }
    if (unfit.isEmpty()) {
      return reservation;
    }
    ReservationNodeSelector choice = new ReservationNodeSelector(state, now);
    List<String> spare = choice.spare(reservation);
    if (!reservation.cores().isEmpty()) {
      return replaced(reservation, unfit, spare, choice);
    }
    List<String> left = new ArrayList<>(spare);
    for (int at : unfit) {
      String gone = nodes.get(at);
      for (String instead : left) {
        if (choice.replaces(reservation, gone, instead)) {
          left.remove(instead);
          nodes.set(at, instead);
          break;
        }
      }
    }
    return reservation.on(
        nodes.stream().sorted(Comparator.comparingInt(state::nodePosition)).toList());
  }

  private Reservation replaced(
      Reservation reservation,
      List<Integer> unfit,
      List<String> spare,
      ReservationNodeSelector choice) {
    List<NodeCores> cores = new ArrayList<>(reservation.cores());
    Iterator<String> others = spare.iterator();
    for (int at : unfit) {
      NodeCores instead = null;
      while (instead == null && others.hasNext()) {
        instead = choice.instead(cores.get(at), others.next());
      }
      cores.set(at, instead == null ? cores.get(at) : instead);
    }
    cores.sort(Comparator.comparingInt(its -> state.nodePosition(its.node())));
    return reservation.onCores(List.copyOf(cores));
  }
}
