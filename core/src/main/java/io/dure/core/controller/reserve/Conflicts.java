package io.dure.core.controller.reserve;

import io.dure.core.controller.ClusterState;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.reservation.Occurrences;
import io.dure.core.reservation.Reservation;
import io.dure.core.reservation.ReservationFlag;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which nodes a reservation cannot have, as other reservations and jobs have them then. */
final class Conflicts {
  /** Repetitions are alike from week to week. */
  private static final Duration WINDOW = Duration.ofDays(8);

  private final ClusterState state;
  private final Instant now;

  Conflicts(ClusterState state, Instant now) {
    this.state = state;
    this.now = now;
  }

  /** Nodes of other reservations that share some time with this one. */
  NavigableSet<String> reserved(Reservation wanted) {
    TreeSet<String> nodes = new TreeSet<>();
    for (Reservation other : state.reservations()) {
      if (!other.name().equals(wanted.name()) && share(wanted, other)) {
        nodes.addAll(other.nodes());
      }
    }
    return nodes;
  }

  /** Whether it may lie over others. */
  static boolean mayOverlap(Reservation wanted) {
    return wanted.is(ReservationFlag.MAINT) || wanted.is(ReservationFlag.OVERLAP);
  }

  /** Nodes of jobs outside of the reservation that may run on when it begins. */
  NavigableSet<String> busy(Reservation wanted) {
    TreeSet<String> nodes = new TreeSet<>();
    if (wanted.is(ReservationFlag.IGNORE_JOBS)) {
      return nodes;
    }
    Instant start = wanted.start(now);
    for (Job job : state.active().values()) {
      JobState.Running running = job.state().underWay();
      if (running != null
          && !wanted.name().equals(running.allocation().reservation())
          && (running.end() == null || running.end().isAfter(start))) {
        nodes.addAll(running.allocation().nodes());
      }
    }
    return nodes;
  }

  /** Whether the two, or some of their repetitions, share a moment. */
  private boolean share(Reservation one, Reservation other) {
    if (meet(one, other)) {
      return true;
    }
    if (!one.repeats() && !other.repeats()) {
      return false;
    }
    Reservation a = one;
    Reservation b = other;
    Instant both = later(one.start(), other.start());
    a = near(a, both);
    b = near(b, both);
    Instant until = both.plus(WINDOW);
    while (a != null && b != null && (a.start().isBefore(until) || b.start().isBefore(until))) {
      if (meet(a, b)) {
        return true;
      }
      boolean first = a.end().isBefore(b.end());
      Reservation next = Occurrences.next(first ? a : b);
      if (next == null) {
        return false;
      }
      a = first ? next : a;
      b = first ? b : next;
    }
    return false;
  }

  private static @Nullable Reservation near(Reservation reservation, Instant time) {
    return reservation.end().isAfter(time) || !reservation.repeats()
        ? reservation
        : Occurrences.after(reservation, time);
  }

  private boolean meet(Reservation one, Reservation other) {
    // What floats may come to lie over all that is later.
    Instant oneEnd = one.is(ReservationFlag.TIME_FLOAT) ? Instant.MAX : one.end();
    boolean floats = other.is(ReservationFlag.TIME_FLOAT);
    return other.start(now).isBefore(oneEnd) && (floats || one.start(now).isBefore(other.end()));
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  /** Of the nodes those that are in the way. */
  static boolean touches(List<String> nodes, NavigableSet<String> taken) {
    return !taken.isEmpty() && nodes.stream().anyMatch(taken::contains);
  }
}
