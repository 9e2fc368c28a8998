package io.dure.cluster.reservations;

import io.dure.cluster.ClusterState;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import io.dure.model.reservation.ReservationRecurrence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which nodes a reservation cannot have, as other reservations and jobs have them then. */
final class ReservationConflicts {
  /** Repetitions are alike from week to week. */
  private static final Duration WINDOW = Duration.ofDays(8);

  private final ClusterState state;
  private final Instant now;

  ReservationConflicts(ClusterState state, Instant now) {
    this.state = state;
    this.now = now;
  }

  /** What other reservations have that share some time with this one. */
  OccupiedNodes reserved(Reservation wanted) {
    OccupiedNodes taken = new OccupiedNodes();
    for (Reservation other : beside(wanted)) {
      for (String node : other.nodes()) {
        taken.add(node, other.coresOf(node));
      }
    }
    return taken;
  }

  /** The other reservations that share some time with this one. */
  List<Reservation> beside(Reservation wanted) {
    List<Reservation> beside = new ArrayList<>();
    for (Reservation other : state.reservations()) {
      if (!other.name().equals(wanted.name()) && share(wanted, other)) {
        beside.add(other);
      }
    }
    return beside;
  }

  /** Whether it may lie over others. */
  static boolean mayOverlap(Reservation wanted) {
    return wanted.is(ReservationFlag.MAINT) || wanted.is(ReservationFlag.OVERLAP);
  }

  /** What jobs have outside of the reservation that may run on when it begins. */
  OccupiedNodes busy(Reservation wanted) {
    OccupiedNodes taken = new OccupiedNodes();
    if (wanted.is(ReservationFlag.IGNORE_JOBS)) {
      return taken;
    }
    Instant start = wanted.start(now);
    for (Job job : state.active().values()) {
      JobState.Running running = job.state().runningOrSuspended();
      if (running != null
          && !wanted.name().equals(running.allocation().reservation())
          && (running.end() == null || running.end().isAfter(start))) {
        running.allocation().shares().forEach(share -> taken.add(share.node(), share.cores()));
      }
    }
    return taken;
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
      Reservation next = ReservationRecurrence.next(first ? a : b);
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
        : ReservationRecurrence.after(reservation, time);
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

  /** Whether others have something of what the reservation is to have. */
  static boolean touches(Reservation placed, OccupiedNodes taken) {
    return placed.nodes().stream().anyMatch(node -> taken.touches(node, placed.coresOf(node)));
  }
}
