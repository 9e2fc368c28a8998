package io.dure.model.reservation;

import io.dure.model.gres.License;
import io.dure.model.job.NodeShare;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that are kept for some users for a time.
 *
 * @param id its number, rising with each that is made
 * @param name its name
 * @param start when it begins; with floating times, when it would have begun as of {@code since}
 * @param end when it ends, which does not belong to it any more; likewise
 * @param nodes names of its nodes, in the order of the configuration
 * @param wish what its nodes were chosen by
 * @param access who may use it
 * @param flags what is special about it, in their own order, each once
 * @param since when it was made
 * @param maxStartDelay how long jobs of others may hold its jobs up, null for not at all
 * @param purgeAfter after which time without jobs it is over, null for never
 * @param idleSince since when no job of its own runs, null if one does or it has not begun
 * @param zone the time zone that sets the days of its repetition
 * @param cores the cores that it has of each node, in the order of the nodes; empty where it has
 *     its nodes whole
 * @param licenses licences that are kept for its jobs
 * @param told the start of which it is known that it has come; null if none, or if it is over again
 */
@RecordBuilder
public record Reservation(
    int id,
    String name,
    Instant start,
    Instant end,
    List<String> nodes,
    ReservationNodeRequest wish,
    ReservationAccess access,
    List<ReservationFlag> flags,
    Instant since,
    @Nullable Duration maxStartDelay,
    @Nullable Duration purgeAfter,
    @Nullable Instant idleSince,
    String zone,
    List<NodeCores> cores,
    List<License> licenses,
    @Nullable Instant told)
    implements ReservationBuilder.With {

  public Reservation {
    // Before there were any, they were not written.
    cores = cores == null ? List.of() : List.copyOf(cores);
    licenses = licenses == null ? List.of() : List.copyOf(licenses);
  }

  /** Whether it has the flag. */
  public boolean is(ReservationFlag flag) {
    return flags.contains(flag);
  }

  /** How far its times have moved by now. */
  private Duration drift(Instant now) {
    return is(ReservationFlag.TIME_FLOAT) && now.isAfter(since)
        ? Duration.between(since, now)
        : Duration.ZERO;
  }

  /** When it begins, as things stand. */
  public Instant start(Instant now) {
    return start.plus(drift(now));
  }

  /** When it ends, as things stand. */
  public Instant end(Instant now) {
    return end.plus(drift(now));
  }

  /** Whether its time is now. */
  public boolean active(Instant now) {
    return !now.isBefore(start(now)) && now.isBefore(end(now));
  }

  /** Whether it is known to have begun, and not to be over. */
  public boolean begun() {
    return start.equals(told);
  }

  /** Whether it comes again after its end. */
  public boolean repeats() {
    return flags.stream().anyMatch(ReservationFlag::repeats);
  }

  /** Whether its jobs are bound to its time and, unless it takes any nodes, to its nodes. */
  public boolean binds() {
    return !is(ReservationFlag.FLEX);
  }

  /** Whether its jobs have to stay on its nodes. */
  public boolean bindsToNodes() {
    return binds() && !is(ReservationFlag.ANY_NODES);
  }

  /**
   * Whether it keeps jobs off its nodes while it lasts.
   *
   * @param own the reservation that the job is in, null for none
   */
  public boolean closesTo(@Nullable Reservation own) {
    if (own == null) {
      return true;
    }
    if (own.name.equals(name) || own.is(ReservationFlag.MAINT)) {
      return false;
    }
    return !own.is(ReservationFlag.OVERLAP) || is(ReservationFlag.MAINT);
  }

  /** The cores that it has of a node, null where it has the node whole, or has nothing of it. */
  public @Nullable List<Integer> coresOf(String node) {
    for (NodeCores some : cores) {
      if (some.node().equals(node)) {
        return some.cores();
      }
    }
    return null;
  }

  /** Whether all of that is its own. */
  public boolean covers(List<NodeShare> shares) {
    NavigableSet<String> names = new TreeSet<>(nodes);
    for (NodeShare share : shares) {
      List<Integer> its = coresOf(share.node());
      if (!names.contains(share.node()) || its != null && !its.containsAll(share.cores())) {
        return false;
      }
    }
    return true;
  }

  /** Whether some of that is its own. */
  public boolean touches(List<NodeShare> shares) {
    NavigableSet<String> names = new TreeSet<>(nodes);
    for (NodeShare share : shares) {
      List<Integer> its = coresOf(share.node());
      if (names.contains(share.node())
          && (its == null || share.cores().stream().anyMatch(its::contains))) {
        return true;
      }
    }
    return false;
  }

  /** Whether two of them share a moment. */
  public boolean overlaps(Instant from, Instant until, Instant now) {
    return start(now).isBefore(until) && from.isBefore(end(now));
  }

  /** The same at another time. */
  public Reservation at(Instant nextStart, Instant nextEnd) {
    return with().start(nextStart).end(nextEnd).idleSince(null).build();
  }

  /** The same on other nodes, which it has whole. */
  public Reservation on(List<String> next) {
    return with().nodes(next).cores(List.of()).build();
  }

  /** The same on these cores. */
  public Reservation onCores(List<NodeCores> next) {
    return with().nodes(next.stream().map(NodeCores::node).toList()).cores(next).build();
  }

  /** The same with other wishes and flags. */
  public Reservation with(ReservationNodeRequest nextWish, List<ReservationFlag> nextFlags) {
    return with().wish(nextWish).flags(List.copyOf(nextFlags)).build();
  }
}
