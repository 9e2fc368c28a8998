package io.dure.cluster.reservations;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Reply;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.License;
import io.dure.model.reservation.NameListEdit;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationAccess;
import io.dure.model.reservation.ReservationFlag;
import io.dure.model.reservation.ReservationNodeRequest;
import io.dure.model.reservation.ReservationRecurrence;
import io.dure.model.reservation.ReservationRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Making reservations. */
public final class ReservationCreateRules {
  /** How far in the past one may begin, as in Slurm. */
  private static final Duration TOLERANCE = Duration.ofMinutes(10);

  private static final int LONGEST_NAME = 64;

  private ReservationCreateRules() {}

  /** Makes a reservation. */
  public static ReservationDecision create(
      ClusterState state, ReservationRequest request, Caller.User caller, Instant now) {
    if (!caller.operator()) {
      return ReservationDecision.refuse(ErrorCode.USER_ID_MISSING);
    }
    try {
      Reservation made = made(state, request, now);
      return new ReservationDecision(
          List.of(new Event.ReservationDefined(made, now)), new Reply.Reserved(made.name()));
    } catch (ReservationRefusedException refused) {
      return ReservationDecision.refuse(refused.code(), refused.detail());
    }
  }

  private static Reservation made(ClusterState state, ReservationRequest request, Instant now)
      throws ReservationRefusedException {
    EnumSet<ReservationFlag> flags = EnumSet.noneOf(ReservationFlag.class);
    flags.addAll(request.set());
    if (request.start() == null) {
      throw new ReservationRefusedException(ErrorCode.INVALID_TIME_VALUE);
    }
    Instant start = request.start();
    boolean forced = flags.contains(ReservationFlag.FORCE_START);
    boolean repeats = flags.stream().anyMatch(ReservationFlag::repeats);
    Instant end = end(start, request, forced && repeats ? start : now);
    if (start.isBefore(now.minus(TOLERANCE)) && !forced) {
      throw new ReservationRefusedException(ErrorCode.INVALID_TIME_VALUE);
    }
    ReservationAccess access = access(state, ReservationAccess.NONE, request);
    check(flags, request, access);
    int id = state.reservationBook().nextId();
    Reservation draft =
        new Reservation(
            id,
            name(state, request.name(), access, id),
            start,
            end,
            List.of(),
            wish(state, request),
            access,
            List.of(),
            now,
            positive(request.maxStartDelay()),
            flags.contains(ReservationFlag.PURGE_COMP) ? request.purgeAfter() : null,
            null,
            request.zone() == null ? "UTC" : request.zone(),
            List.of(),
            List.of(),
            null);
    Reservation licensed = draft.withLicenses(licenses(state, draft, request.licenses(), now));
    return placed(state, current(licensed, flags, now), flags, request, now);
  }

  /** One that began in the past and repeats, at the first of its times that is not over. */
  private static Reservation current(
      Reservation draft, EnumSet<ReservationFlag> flags, Instant now) {
    Reservation flagged = draft.with(draft.wish(), List.copyOf(flags));
    Reservation next = draft.end().isAfter(now) ? null : ReservationRecurrence.after(flagged, now);
    return next == null ? draft : draft.at(next.start(), next.end());
  }

  /**
   * The licences that are kept for its jobs.
   *
   * @throws ReservationRefusedException if the cluster has not so many, or others keep them
   *     meanwhile
   */
  static List<License> licenses(
      ClusterState state, Reservation wanted, @Nullable List<License> asked, Instant now)
      throws ReservationRefusedException {
    if (asked == null) {
      return wanted.licenses();
    }
    List<License> kept = List.of();
    for (Reservation other : new ReservationConflicts(state, now).beside(wanted)) {
      kept = License.sum(kept, other.licenses(), 1);
    }
    if (asked.isEmpty() && wanted.is(ReservationFlag.ANY_NODES)) {
      throw new ReservationRefusedException(ErrorCode.INVALID_LICENSES);
    }
    List<License> sum = License.sum(List.of(), asked, 1);
    for (License one : sum) {
      int left = License.count(state.licenses(), one.name()) - License.count(kept, one.name());
      if (one.count() > left) {
        throw new ReservationRefusedException(ErrorCode.INVALID_LICENSES);
      }
    }
    return sum;
  }

  private static Reservation placed(
      ClusterState state,
      Reservation draft,
      EnumSet<ReservationFlag> flags,
      ReservationRequest request,
      Instant now)
      throws ReservationRefusedException {
    ReservationNodeSelector choice = new ReservationNodeSelector(state, now);
    List<String> named = request.nodes();
    boolean all = request.asksForAll() || wholePartition(request);
    boolean cores = draft.wish().cores() > 0;
    if (all || named != null && !named.isEmpty()) {
      flags.add(ReservationFlag.SPEC_NODES);
    }
    if (all) {
      boolean within = request.partition() != null;
      flags.add(within ? ReservationFlag.PART_NODES : ReservationFlag.ALL_NODES);
    }
    Reservation whole = draft.with(draft.wish(), List.copyOf(flags));
    if (!flags.contains(ReservationFlag.SPEC_NODES)) {
      if (flags.contains(ReservationFlag.ANY_NODES)) {
        return whole;
      }
      return cores
          ? whole.onCores(choice.chooseCores(whole))
          : whole.on(choice.choose(whole, List.of()));
    }
    List<String> nodes =
        all
            ? choice.all(draft.wish().partition())
            : known(state, named == null ? List.of() : named);
    Reservation placed =
        cores
            ? whole.onCores(choice.cores(whole, nodes, counts(request, nodes.size())))
            : whole.on(nodes);
    if (!choice.holds(nodes, whole.wish().gres())) {
      throw new ReservationRefusedException(ErrorCode.NODES_BUSY);
    }
    refuseConflicts(new ReservationConflicts(state, now), placed);
    return placed;
  }

  /** How many cores of each of so many nodes: a number for each of them, or more. */
  static List<Integer> counts(ReservationRequest request, int nodes)
      throws ReservationRefusedException {
    List<Integer> counts = request.coreCounts();
    Integer one = request.coreCount();
    List<Integer> all = counts != null ? counts : one == null ? List.of() : List.of(one);
    if (all.size() < nodes || all.subList(0, nodes).contains(0)) {
      throw new ReservationRefusedException(ErrorCode.CORE_COUNTS);
    }
    return all.subList(0, nodes);
  }

  /** Whether a partition is all that it says about nodes. */
  private static boolean wholePartition(ReservationRequest request) {
    boolean named = request.nodes() != null && !request.nodes().isEmpty();
    boolean counted = request.nodeCount() != null && request.nodeCount() > 0;
    boolean kinds = request.features() != null || request.gres() != null;
    boolean parts = request.coreCount() != null || request.coreCounts() != null;
    EnumSet<ReservationFlag> chooses =
        EnumSet.of(
            ReservationFlag.ANY_NODES, ReservationFlag.REPLACE, ReservationFlag.REPLACE_DOWN);
    boolean chosen = request.set().stream().anyMatch(chooses::contains);
    return request.partition() != null && !named && !counted && !kinds && !parts && !chosen;
  }

  static void refuseConflicts(ReservationConflicts conflicts, Reservation placed)
      throws ReservationRefusedException {
    if (!ReservationConflicts.mayOverlap(placed)
        && ReservationConflicts.touches(placed, conflicts.reserved(placed))) {
      throw new ReservationRefusedException(ErrorCode.RESERVATION_OVERLAP);
    }
    if (ReservationConflicts.touches(placed, conflicts.busy(placed))) {
      throw new ReservationRefusedException(ErrorCode.NODES_BUSY);
    }
  }

  /** The nodes in the order of the configuration. */
  static List<String> known(ClusterState state, List<String> names)
      throws ReservationRefusedException {
    TreeSet<Integer> positions = new TreeSet<>();
    for (String name : names) {
      int position = state.nodePosition(name);
      if (position < 0) {
        throw new ReservationRefusedException(ErrorCode.INVALID_NODE_NAME);
      }
      positions.add(position);
    }
    return positions.stream().map(position -> state.nodes().require(position).name()).toList();
  }

  static @Nullable Duration positive(@Nullable Duration delay) {
    return delay == null || delay.isZero() ? null : delay;
  }

  private static Instant end(Instant start, ReservationRequest request, Instant now)
      throws ReservationRefusedException {
    Instant end = request.end();
    if (request.duration() != null) {
      end = start.plus(length(request.duration()));
    }
    if (end == null || end.isBefore(start) || !end.isAfter(now)) {
      throw new ReservationRefusedException(ErrorCode.INVALID_TIME_VALUE);
    }
    return end;
  }

  static Duration length(Duration asked) {
    boolean bounded = !asked.isZero() && asked.compareTo(ReservationRequest.LONGEST) < 0;
    return bounded ? asked : ReservationRequest.LONGEST;
  }

  private static void check(
      EnumSet<ReservationFlag> flags, ReservationRequest request, ReservationAccess access)
      throws ReservationRefusedException {
    boolean repeats = flags.stream().anyMatch(ReservationFlag::repeats);
    if (flags.contains(ReservationFlag.TIME_FLOAT) && repeats) {
      throw new ReservationRefusedException(ErrorCode.NOT_SUPPORTED);
    }
    boolean replaces =
        flags.contains(ReservationFlag.REPLACE) || flags.contains(ReservationFlag.REPLACE_DOWN);
    if (replaces && request.nodes() != null) {
      throw new ReservationRefusedException(ErrorCode.INVALID_NODE_NAME);
    }
    boolean licensed = request.licenses() != null && !request.licenses().isEmpty();
    boolean named = request.nodes() != null && !request.nodes().isEmpty();
    if (flags.contains(ReservationFlag.ANY_NODES) && !licensed && !named) {
      throw new ReservationRefusedException(ErrorCode.RESERVATION_INVALID);
    }
    if (flags.contains(ReservationFlag.PART_NODES)
        && (request.partition() == null || !request.asksForAll())) {
      throw new ReservationRefusedException(ErrorCode.RESERVATION_INVALID);
    }
    if (flags.contains(ReservationFlag.MAGNETIC) && !access.groups().isEmpty()) {
      throw new ReservationRefusedException(
          ErrorCode.NOT_SUPPORTED,
          "the members of a group are not known for jobs that wait: name users");
    }
  }

  private static ReservationNodeRequest wish(ClusterState state, ReservationRequest request)
      throws ReservationRefusedException {
    String partition = request.partition();
    if (partition != null && state.partition(partition) == null) {
      throw new ReservationRefusedException(ErrorCode.INVALID_PARTITION_NAME);
    }
    int nodes = request.nodeCount() == null ? 0 : request.nodeCount();
    int cores = cores(request);
    boolean named = request.nodes() != null && !request.nodes().isEmpty();
    if (nodes < 0 || cores < 0) {
      throw new ReservationRefusedException(ErrorCode.INVALID_NODE_COUNT);
    }
    List<GresCount> gres = request.gres() == null ? List.of() : request.gres();
    if (cores > 0 && !gres.isEmpty()) {
      throw new ReservationRefusedException(
          ErrorCode.NOT_SUPPORTED, "a reservation of generic resources has whole nodes");
    }
    boolean counted = request.coreCount() != null || request.coreCounts() != null;
    if (counted && cores == 0) {
      throw new ReservationRefusedException(named ? ErrorCode.CORE_COUNTS : ErrorCode.NODES_BUSY);
    }
    if (request.set().contains(ReservationFlag.ANY_NODES) && !named) {
      return new ReservationNodeRequest(0, 0, request.features(), partition, List.of());
    }
    boolean some = nodes > 0 || cores > 0 || !gres.isEmpty() || partition != null;
    if (!named && !some && request.features() == null) {
      boolean licensed = request.licenses() != null && !request.licenses().isEmpty();
      throw new ReservationRefusedException(
          licensed ? ErrorCode.INVALID_NODE_NAME : ErrorCode.RESERVATION_INVALID);
    }
    if ((!named || cores > 0) && partition == null) {
      PartitionConfig fallback = state.defaultPartition();
      if (fallback == null) {
        throw new ReservationRefusedException(ErrorCode.DEFAULT_PARTITION_NOT_SET);
      }
      partition = fallback.name();
    }
    return new ReservationNodeRequest(nodes, cores, request.features(), partition, gres);
  }

  /** How many cores on all nodes together. */
  private static int cores(ReservationRequest request) {
    List<Integer> counts = request.coreCounts();
    Integer count = request.coreCount();
    return counts != null
        ? counts.stream().mapToInt(Integer::intValue).sum()
        : count == null ? 0 : count;
  }

  static ReservationAccess access(
      ClusterState state, ReservationAccess before, ReservationRequest request)
      throws ReservationRefusedException {
    List<String> users = edited(before.users(), request.users(), ErrorCode.USER_ID_MISSING);
    List<String> accounts =
        edited(before.accounts(), lower(request.accounts()), ErrorCode.INVALID_ACCOUNT);
    List<String> groups = edited(before.groups(), request.groups(), ErrorCode.GROUP_ID_MISSING);
    for (String name : bare(accounts)) {
      if (!state.accounts().isUntouched() && state.accounts().account(name) == null) {
        throw new ReservationRefusedException(ErrorCode.INVALID_ACCOUNT);
      }
    }
    List<String> qos = edited(before.qos(), lower(request.qos()), ErrorCode.INVALID_QOS);
    for (String name : bare(qos)) {
      if (state.accounts().qos(name) == null) {
        throw new ReservationRefusedException(ErrorCode.INVALID_QOS);
      }
    }
    List<String> partitions =
        edited(before.partitions(), request.allowedPartitions(), ErrorCode.INVALID_PARTITION_NAME);
    for (String name : bare(partitions)) {
      if (state.partition(name) == null) {
        throw new ReservationRefusedException(ErrorCode.INVALID_PARTITION_NAME);
      }
    }
    ReservationAccess access = new ReservationAccess(users, accounts, groups, qos, partitions);
    if (access.isEmpty()) {
      throw new ReservationRefusedException(ErrorCode.RESERVATION_EMPTY);
    }
    if (!users.isEmpty() && !groups.isEmpty()) {
      throw new ReservationRefusedException(ErrorCode.RESERVATION_INVALID);
    }
    return access;
  }

  /** Without the minus of those that are kept out. */
  private static List<String> bare(List<String> names) {
    return names.stream().map(name -> name.startsWith("-") ? name.substring(1) : name).toList();
  }

  private static @Nullable NameListEdit lower(@Nullable NameListEdit edit) {
    return edit == null
        ? null
        : new NameListEdit(
            edit.mode(), edit.names().stream().map(n -> n.toLowerCase(Locale.ROOT)).toList());
  }

  private static List<String> edited(
      List<String> before, @Nullable NameListEdit edit, ErrorCode code)
      throws ReservationRefusedException {
    List<String> after = edit == null ? before : edit.applied(before);
    if (after == null) {
      throw new ReservationRefusedException(code);
    }
    return after;
  }

  private static String name(
      ClusterState state, @Nullable String asked, ReservationAccess access, int id)
      throws ReservationRefusedException {
    if (asked == null) {
      List<String> keys = new ArrayList<>(access.accounts());
      keys.addAll(access.users());
      keys.addAll(access.groups());
      keys.addAll(access.qos());
      keys.addAll(access.partitions());
      String key = keys.getFirst();
      String name = (key.startsWith("-") ? key.substring(1) : key) + "_";
      int number = id;
      while (state.reservationBook().named(name + number) != null) {
        number++;
      }
      return name + number;
    }
    if (asked.isBlank() || asked.length() > LONGEST_NAME || asked.matches(".*[,\\s=].*")) {
      throw new ReservationRefusedException(ErrorCode.RESERVATION_INVALID, "a name is one word");
    }
    if (state.reservationBook().named(asked) != null) {
      throw new ReservationRefusedException(ErrorCode.RESERVATION_NAME_DUP);
    }
    return asked;
  }
}
