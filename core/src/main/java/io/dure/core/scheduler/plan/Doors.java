package io.dure.core.scheduler.plan;

import io.dure.core.reservation.Reservation;
import io.dure.core.reservation.ReservationFlag;
import io.dure.core.scheduler.Ledger;
import io.dure.core.scheduler.Times;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * When nodes are closed to the jobs of a reservation, or to those of none, because they are
 * reserved for others.
 */
final class Doors {
  private final TreeMap<Integer, List<Closure>> closures = new TreeMap<>();

  /**
   * A time in which a node is closed.
   *
   * @param from its beginning, seconds since 1970
   * @param until its end, which does not belong to it any more
   * @param moved since when it moves on with the time, never for not at all
   * @param spared jobs of at most so many seconds may run in spite of it
   * @param maintenance whether somebody works on the node then
   */
  record Closure(long from, long until, long moved, long spared, boolean maintenance) {
    private long drift(long now) {
      return Math.max(0, now - moved);
    }

    long from(long now) {
      return from + drift(now);
    }

    long until(long now) {
      return until + drift(now);
    }

    boolean meets(long start, long end, long now) {
      return end - start > spared && from(now) < end && start < until(now);
    }
  }

  /** The doors for jobs of a reservation, or of none; null if all are always open. */
  static @Nullable Doors of(List<Reservation> all, Ledger ledger, @Nullable Reservation own) {
    Doors doors = new Doors();
    for (Reservation other : all) {
      if (other.closesTo(own)) {
        Closure closure = closure(other, own);
        for (String name : other.nodes()) {
          int node = ledger.index(name);
          if (node >= 0) {
            doors.closures.computeIfAbsent(node, _ -> new ArrayList<>()).add(closure);
          }
        }
      }
    }
    return doors.closures.isEmpty() ? null : doors;
  }

  private static Closure closure(Reservation other, @Nullable Reservation own) {
    Duration delay = own == null ? other.maxStartDelay() : null;
    boolean floats = other.is(ReservationFlag.TIME_FLOAT);
    return new Closure(
        other.start().getEpochSecond(),
        Times.second(other.end()),
        floats ? other.since().getEpochSecond() : Times.NEVER,
        delay == null ? 0 : delay.toSeconds(),
        other.is(ReservationFlag.MAINT));
  }

  /** What closes the node at some time, null for nothing. */
  @Nullable List<Closure> of(int node) {
    return closures.get(node);
  }

  /** The nodes that are closed at some time, rising. */
  Iterable<Integer> nodes() {
    return closures.keySet();
  }

  /** Whether the node is open from a time to another, which is not included. */
  boolean isOpen(int node, long start, long end, long now) {
    List<Closure> its = closures.get(node);
    if (its != null) {
      for (Closure closure : its) {
        if (closure.meets(start, end, now)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether work on one of the nodes is in the way of that time. */
  boolean isMaintenance(int[] nodes, long start, long end, long now) {
    for (int node : nodes) {
      List<Closure> its = closures.get(node);
      if (its != null) {
        for (Closure closure : its) {
          if (closure.maintenance() && closure.meets(start, end, now)) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
