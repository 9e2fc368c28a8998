package io.dure.cluster.reservations;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Reply;
import io.dure.model.gres.License;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationAccess;
import io.dure.model.reservation.ReservationFlag;
import io.dure.model.reservation.ReservationNodeRequest;
import io.dure.model.reservation.ReservationRecurrence;
import io.dure.model.reservation.ReservationRequest;
import io.dure.rules.RunEndTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Changing and deleting reservations. */
public final class ReservationUpdateRules {
  private ReservationUpdateRules() {}

  /** Changes a reservation. */
  public static ReservationDecision update(
      ClusterState state, Command.UpdateReservation command, Caller.User caller, Instant now) {
    if (!caller.operator()) {
      return ReservationDecision.refuse(ErrorCode.USER_ID_MISSING);
    }
    Reservation before = state.reservationBook().named(command.name());
    if (before == null) {
      return ReservationDecision.refuse(ErrorCode.RESERVATION_INVALID);
    }
    try {
      Reservation after = changed(state, before, command.change(), now);
      List<Event> events = new ArrayList<>();
      if (!after.equals(before)) {
        events.add(new Event.ReservationDefined(after, now));
        events.addAll(newEnds(state, before, after, now));
      }
      return new ReservationDecision(List.copyOf(events), new Reply.Done());
    } catch (ReservationRefusedException refused) {
      return ReservationDecision.refuse(refused.code(), refused.detail());
    }
  }

  private static Reservation changed(
      ClusterState state, Reservation before, ReservationRequest change, Instant now)
      throws ReservationRefusedException {
    Reservation base = before;
    if (change.skip()) {
      Reservation next = ReservationRecurrence.next(before);
      if (next == null) {
        throw new ReservationRefusedException(
            ErrorCode.RESERVATION_INVALID, "it does not come again");
      }
      if (!running(state, before.name()).isEmpty()) {
        throw new ReservationRefusedException(ErrorCode.RESERVATION_BUSY);
      }
      base = next;
    }
    EnumSet<ReservationFlag> flags = flags(before, change);
    if (change.partition() != null
        && !change.partition().isEmpty()
        && state.partition(change.partition()) == null) {
      throw new ReservationRefusedException(ErrorCode.INVALID_PARTITION_NAME);
    }
    if (change.features() != null && before.is(ReservationFlag.SPEC_NODES)
        || change.gres() != null) {
      throw new ReservationRefusedException(ErrorCode.NOT_SUPPORTED);
    }
    Instant start = start(base, change, now);
    Reservation next =
        new Reservation(
            base.id(),
            base.name(),
            start,
            end(base, start, change, now),
            base.nodes(),
            wish(before.wish(), change),
            ReservationCreateRules.access(state, before.access(), change),
            List.copyOf(flags),
            base.since(),
            change.maxStartDelay() == null
                ? base.maxStartDelay()
                : ReservationCreateRules.positive(change.maxStartDelay()),
            purge(base, change, flags),
            base.idleSince(),
            base.zone(),
            base.cores(),
            base.licenses(),
            base.told());
    next =
        next.withLicenses(
            ReservationCreateRules.licenses(state, next, licenses(base, next, change), now));
    if (flags.contains(ReservationFlag.MAGNETIC) && !next.access().groups().isEmpty()) {
      throw new ReservationRefusedException(ErrorCode.NOT_SUPPORTED);
    }
    return onNodes(state, before, next, change, now);
  }

  private static @Nullable Duration purge(
      Reservation base, ReservationRequest change, EnumSet<ReservationFlag> flags) {
    if (!flags.contains(ReservationFlag.PURGE_COMP)) {
      return null;
    }
    return change.purgeAfter() == null ? base.purgeAfter() : change.purgeAfter();
  }

  private static EnumSet<ReservationFlag> flags(Reservation before, ReservationRequest change)
      throws ReservationRefusedException {
    EnumSet<ReservationFlag> flags = EnumSet.noneOf(ReservationFlag.class);
    flags.addAll(before.flags());
    flags.addAll(change.set());
    change.clear().forEach(flags::remove);
    if (flags.contains(ReservationFlag.TIME_FLOAT) != before.is(ReservationFlag.TIME_FLOAT)) {
      throw new ReservationRefusedException(ErrorCode.INVALID_TIME_VALUE);
    }
    boolean repeats = flags.stream().anyMatch(ReservationFlag::repeats);
    if (flags.contains(ReservationFlag.TIME_FLOAT) && repeats) {
      throw new ReservationRefusedException(ErrorCode.NOT_SUPPORTED);
    }
    if (flags.contains(ReservationFlag.ANY_NODES) != before.is(ReservationFlag.ANY_NODES)) {
      throw new ReservationRefusedException(ErrorCode.RESERVATION_INVALID);
    }
    return flags;
  }

  private static ReservationNodeRequest wish(
      ReservationNodeRequest before, ReservationRequest change) {
    String partition = change.partition() == null ? before.partition() : change.partition();
    String features = change.features() == null ? before.features() : change.features();
    int nodes = change.nodeCount() == null ? before.nodes() : change.nodeCount();
    return before
        .with()
        .nodes(nodes)
        .features(features == null || features.isEmpty() ? null : features)
        .partition(partition == null || partition.isEmpty() ? null : partition)
        .build();
  }

  private static Instant start(Reservation base, ReservationRequest change, Instant now)
      throws ReservationRefusedException {
    if (change.start() == null) {
      return base.start();
    }
    if (base.active(now)) {
      throw new ReservationRefusedException(ErrorCode.RESERVATION_STARTED);
    }
    if (change.start().isBefore(now.minusSeconds(60))) {
      throw new ReservationRefusedException(ErrorCode.INVALID_TIME_VALUE);
    }
    return change.start();
  }

  /** Those that are to be kept, null where neither they nor the time are others than before. */
  private static @Nullable List<License> licenses(
      Reservation before, Reservation next, ReservationRequest change) {
    boolean moved = !next.start().equals(before.start()) || !next.end().equals(before.end());
    return change.licenses() == null && moved && !next.licenses().isEmpty()
        ? next.licenses()
        : change.licenses();
  }

  private static Instant end(
      Reservation base, Instant start, ReservationRequest change, Instant now)
      throws ReservationRefusedException {
    Instant end = change.end() == null ? base.end() : change.end();
    if (change.duration() != null) {
      end = start.plus(ReservationCreateRules.length(change.duration()));
    } else if (change.lengthen() != null) {
      end = end.plus(change.lengthen());
    }
    boolean touched = !end.equals(base.end()) || change.start() != null || change.end() != null;
    if (touched && (end.isBefore(start) || !end.isAfter(now))) {
      throw new ReservationRefusedException(ErrorCode.INVALID_TIME_VALUE);
    }
    return end;
  }

  private static Reservation onNodes(
      ClusterState state,
      Reservation before,
      Reservation next,
      ReservationRequest change,
      Instant now)
      throws ReservationRefusedException {
    ReservationNodeSelector choice = new ReservationNodeSelector(state, now);
    EnumSet<ReservationFlag> flags = EnumSet.noneOf(ReservationFlag.class);
    flags.addAll(next.flags());
    Reservation placed = next;
    boolean cores = change.coreCount() != null || change.coreCounts() != null;
    boolean nodes = change.nodes() != null || change.nodeCount() != null;
    boolean others = nodes || change.features() != null;
    if (cores || others && !before.cores().isEmpty()) {
      throw new ReservationRefusedException(ErrorCode.CORE_RESERVATION_UPDATE);
    }
    if (change.nodes() != null && !change.nodes().isEmpty()) {
      flags.add(ReservationFlag.SPEC_NODES);
      flags.remove(ReservationFlag.PART_NODES);
      flags.remove(ReservationFlag.ALL_NODES);
      if (change.asksForAll()) {
        boolean within = next.wish().partition() != null;
        flags.add(within ? ReservationFlag.PART_NODES : ReservationFlag.ALL_NODES);
      }
      List<String> named =
          change.asksForAll()
              ? choice.all(next.wish().partition())
              : ReservationCreateRules.known(state, change.nodes());
      placed = next.with(next.wish(), List.copyOf(flags)).on(named);
    } else if (change.nodes() != null) {
      flags.remove(ReservationFlag.SPEC_NODES);
      flags.remove(ReservationFlag.PART_NODES);
      flags.remove(ReservationFlag.ALL_NODES);
      Reservation free = next.with(next.wish(), List.copyOf(flags));
      placed = chosen(choice, free, before.nodes().size());
    }
    if (change.nodeCount() != null || change.features() != null) {
      // Nodes that were all there are have been chosen now.
      flags.remove(ReservationFlag.PART_NODES);
      flags.remove(ReservationFlag.ALL_NODES);
      placed = placed.with(placed.wish(), List.copyOf(flags));
      placed = placed.on(choice.choose(placed, placed.nodes()));
    }
    boolean moved =
        !placed.nodes().equals(before.nodes())
            || !placed.cores().equals(before.cores())
            || !placed.start().equals(before.start())
            || !placed.end().equals(before.end());
    if (moved) {
      ReservationConflicts conflicts = new ReservationConflicts(state, now);
      ReservationCreateRules.refuseConflicts(conflicts, placed);
      refuseLeft(state, before, placed);
    }
    return placed;
  }

  private static Reservation chosen(ReservationNodeSelector choice, Reservation next, int count)
      throws ReservationRefusedException {
    ReservationNodeRequest wish = next.wish();
    Reservation counted = next.with(wish.with().nodes(count).cores(0).build(), next.flags());
    return counted.on(choice.choose(counted, List.of()));
  }

  /** Nodes with jobs of the reservation stay. */
  private static void refuseLeft(ClusterState state, Reservation before, Reservation after)
      throws ReservationRefusedException {
    for (Job job : running(state, before.name())) {
      JobState.Running running = job.state().runningOrSuspended();
      if (running != null && after.bindsToNodes() && !after.covers(running.allocation().shares())) {
        throw new ReservationRefusedException(ErrorCode.NODES_BUSY);
      }
    }
  }

  /** Jobs that run in the reservation of that name. */
  static List<Job> running(ClusterState state, String name) {
    List<Job> jobs = new ArrayList<>();
    for (Job job : state.active().values()) {
      JobState.Running running = job.state().runningOrSuspended();
      if (running != null && name.equals(running.allocation().reservation())) {
        jobs.add(job);
      }
    }
    return jobs;
  }

  /** Jobs that run in the reservation end with it. */
  private static List<Event> newEnds(
      ClusterState state, Reservation before, Reservation after, Instant now) {
    List<Event> events = new ArrayList<>();
    if (before.end().equals(after.end()) && before.binds() == after.binds()) {
      return events;
    }
    for (Job job : running(state, after.name())) {
      JobState.Running running = job.state().runningOrSuspended();
      if (running != null) {
        Instant limit =
            RunEndTime.outsideReservation(
                state, job.spec(), running.allocation().partition(), running.start());
        Instant end =
            RunEndTime.earlier(
                limit,
                RunEndTime.of(after, state.settings().scheduling().reservationOverRun(), now));
        if (!Objects.equals(end, running.end())) {
          events.add(new Event.JobUpdated(job.id(), job.spec(), job.priority(), end));
        }
      }
    }
    return events;
  }

  /** Deletes a reservation. */
  public static ReservationDecision delete(
      ClusterState state, String name, Caller.User caller, Instant now) {
    Reservation reservation = state.reservationBook().named(name);
    boolean may =
        caller.operator()
            || (reservation != null
                && (reservation.is(ReservationFlag.USER_DELETE)
                    || state.settings().rules().usersDeleteReservations())
                && mayUse(state, reservation.access(), caller));
    if (!may) {
      return ReservationDecision.refuse(ErrorCode.USER_ID_MISSING);
    }
    if (reservation == null) {
      return ReservationDecision.refuse(ErrorCode.RESERVATION_INVALID);
    }
    if (!running(state, name).isEmpty()) {
      return ReservationDecision.refuse(ErrorCode.RESERVATION_BUSY);
    }
    return new ReservationDecision(
        ReservationRemoval.events(state, reservation, now), new Reply.Done());
  }

  private static boolean mayUse(ClusterState state, ReservationAccess access, Caller.User caller) {
    String user = caller.identity().userName();
    if (access.permits(user, null, caller.groups())) {
      return true;
    }
    return state.accounts().of(user).stream()
        .anyMatch(of -> access.permits(user, of.account(), caller.groups()));
  }
}
