package io.dure.scheduler.timeline;

import io.dure.model.gres.License;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.reservation.LicenseUse;
import io.dure.model.reservation.NodeCores;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import io.dure.placement.AllocationLedger;
import io.dure.rules.PlannerTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * When nodes, or some of their cores, are closed to the jobs of a reservation, or to those of none,
 * because they are reserved for others; and when licences are.
 */
public final class ReservationWindows {
  private final NavigableMap<Integer, List<ClosedWindow>> closures;

  /** When too few licences are left by reservations. */
  private final List<ClosedWindow> unlicensed;

  private ReservationWindows(
      NavigableMap<Integer, List<ClosedWindow>> closures, List<ClosedWindow> unlicensed) {
    this.closures = closures;
    this.unlicensed = unlicensed;
  }

  /**
   * A time in which a node is closed.
   *
   * @param from its beginning, seconds since 1970
   * @param until its end, which does not belong to it any more
   * @param moved since when it moves on with the time, never for not at all
   * @param spared jobs of at most so many seconds may run in spite of it
   * @param maintenance whether the node is under maintenance then
   * @param cores the cores that are closed, null for all that the node has
   */
  record ClosedWindow(
      long from,
      long until,
      long moved,
      long spared,
      boolean maintenance,
      @Nullable List<Integer> cores) {
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
  static @Nullable ReservationWindows of(
      List<Reservation> all, AllocationLedger ledger, @Nullable Reservation own) {
    TreeMap<Integer, List<ClosedWindow>> closures = new TreeMap<>();
    for (Reservation other : all) {
      if (other.closesTo(own)) {
        for (String name : other.nodes()) {
          add(closures, ledger.index(name), closure(other, own, other.coresOf(name)));
        }
      }
    }
    if (own != null && own.bindsToNodes()) {
      for (NodeCores its : own.cores()) {
        int node = ledger.index(its.node());
        if (node >= 0) {
          List<Integer> others =
              its.others(ledger.slot(node).config().shape()).stream().boxed().toList();
          add(
              closures,
              node,
              new ClosedWindow(0, Long.MAX_VALUE, PlannerTime.NEVER, -1, false, others));
        }
      }
    }
    return closures.isEmpty() ? null : new ReservationWindows(closures, List.of());
  }

  private static void add(
      NavigableMap<Integer, List<ClosedWindow>> closures, int node, ClosedWindow closure) {
    if (node >= 0) {
      closures.computeIfAbsent(node, _ -> new ArrayList<>()).add(closure);
    }
  }

  private static ClosedWindow closure(
      Reservation other, @Nullable Reservation own, @Nullable List<Integer> cores) {
    Duration delay = own == null ? other.maxStartDelay() : null;
    boolean floats = other.is(ReservationFlag.TIME_FLOAT);
    return new ClosedWindow(
        other.start().getEpochSecond(),
        PlannerTime.second(other.end()),
        floats ? other.since().getEpochSecond() : PlannerTime.NEVER,
        delay == null ? 0 : delay.toSeconds(),
        other.is(ReservationFlag.MAINT),
        cores);
  }

  /**
   * The same for jobs that want licences: closed while reservations leave too few, whatever jobs
   * hold.
   *
   * @param doors null if all are always open
   * @param asked the licences
   * @param total those of the cluster
   */
  static @Nullable ReservationWindows licensed(
      @Nullable ReservationWindows doors,
      LicenseRequest asked,
      List<License> total,
      List<Reservation> all,
      @Nullable Reservation own) {
    List<ClosedWindow> times = new ArrayList<>();
    for (Reservation other : all) {
      if (!other.licenses().isEmpty() && (own == null || !own.name().equals(other.name()))) {
        List<License> kept =
            License.sum(other.licenses(), LicenseUse.keptBeside(all, other, own, other.since()), 1);
        if (asked.free(total, kept) == null) {
          times.add(closure(other, null, null));
        }
      }
    }
    return times.isEmpty()
        ? doors
        : new ReservationWindows(doors == null ? new TreeMap<>() : doors.closures, times);
  }

  /** The earliest time, not before another, at which reservations leave licences for so long. */
  long licensed(long start, long seconds, long now) {
    long time = start;
    for (int i = 0; i < unlicensed.size(); i++) {
      ClosedWindow closure = unlicensed.get(i);
      if (closure.meets(time, PlannerTime.after(time, seconds), now)) {
        time = closure.until(now);
        i = -1;
      }
    }
    return time;
  }

  /** What closes the node or some of its cores at some time, null for nothing. */
  @Nullable List<ClosedWindow> of(int node) {
    return closures.get(node);
  }

  /** The nodes that are closed at some time, rising. */
  Iterable<Integer> nodes() {
    return closures.keySet();
  }

  /** Whether the node is open, be it in part, from a time to another, which is not included. */
  public boolean isOpen(int node, long start, long end, long now) {
    List<ClosedWindow> its = closures.get(node);
    if (its != null) {
      for (ClosedWindow closure : its) {
        if (closure.cores() == null && closure.meets(start, end, now)) {
          return false;
        }
      }
    }
    return true;
  }

  /** The cores of an open node that are closed at some moment of that time, null for none. */
  @Nullable BitSet cores(int node, long start, long end, long now) {
    List<ClosedWindow> its = closures.get(node);
    BitSet closed = null;
    if (its != null) {
      for (ClosedWindow closure : its) {
        if (closure.cores() != null && closure.meets(start, end, now)) {
          closed = closed == null ? new BitSet() : closed;
          closure.cores().forEach(closed::set);
        }
      }
    }
    return closed;
  }

  /** Whether work on one of the nodes is in the way of that time. */
  public boolean isMaintenance(int[] nodes, long start, long end, long now) {
    for (int node : nodes) {
      List<ClosedWindow> its = closures.get(node);
      if (its != null) {
        for (ClosedWindow closure : its) {
          if (closure.maintenance() && closure.meets(start, end, now)) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
