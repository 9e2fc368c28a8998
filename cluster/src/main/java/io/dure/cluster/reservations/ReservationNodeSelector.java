package io.dure.cluster.reservations;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.ErrorCode;
import io.dure.model.config.PartitionConfig;
import io.dure.model.constraint.FeatureConstraint;
import io.dure.model.constraint.FeatureExpression;
import io.dure.model.constraint.FeatureExpression.InvalidFeatureException;
import io.dure.model.constraint.FeatureParser;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.NodeGres;
import io.dure.model.reservation.NodeCores;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationNodeRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Chooses nodes for a reservation that asks for some without naming them. */
final class ReservationNodeSelector {
  private final ClusterState state;
  private final ReservationConflicts conflicts;

  ReservationNodeSelector(ClusterState state, Instant now) {
    this.state = state;
    conflicts = new ReservationConflicts(state, now);
  }

  /** The nodes of a partition, or of the cluster, in order. */
  List<String> all(@Nullable String partition) {
    List<String> names = new ArrayList<>();
    PartitionConfig of = partition == null ? null : state.partition(partition);
    TreeSet<String> members = new TreeSet<>(of == null ? List.of() : of.nodes());
    for (NodeRecord node : state.nodes().values()) {
      if (partition == null || members.contains(node.name())) {
        names.add(node.name());
      }
    }
    return names;
  }

  /**
   * The nodes for a reservation: those that it has stay as far as they may.
   *
   * @param wanted the reservation, whose nodes count only as wishes
   * @param keep nodes to take before others
   * @throws ReservationRefusedException if there are not enough
   */
  List<String> choose(Reservation wanted, List<String> keep) throws ReservationRefusedException {
    FeatureConstraint features = features(wanted.wish().features());
    if (features == null || features.oneOf().isEmpty()) {
      return choose(wanted, keep, features);
    }
    for (FeatureExpression one : features.oneOf()) {
      try {
        return choose(wanted, keep, features.only(one));
      } catch (ReservationRefusedException e) {
        // the next kind may do
      }
    }
    throw new ReservationRefusedException(ErrorCode.NODES_BUSY);
  }

  private List<String> choose(
      Reservation wanted, List<String> keep, @Nullable FeatureConstraint features)
      throws ReservationRefusedException {
    ReservationNodeRequest wish = wanted.wish();
    List<NodeRecord> fit = candidates(wish, features);
    TreeSet<String> kept = new TreeSet<>(keep);
    OccupiedNodes busy = conflicts.busy(wanted);
    OccupiedNodes reserved = conflicts.reserved(wanted);
    fit.removeIf(node ->
        !kept.contains(node.name()) && (!node.available() || busy.touches(node.name()))
            || !ReservationConflicts.mayOverlap(wanted) && reserved.touches(node.name()));
    fit.sort(
        Comparator.<NodeRecord>comparingInt(node -> kept.contains(node.name()) ? 0 : 1)
            .thenComparingInt(node -> reserved.touches(node.name()) ? 1 : 0)
            .thenComparingInt(node -> node.shares().isEmpty() ? 0 : 1));
    List<FeatureConstraint.Count> counts = features == null ? List.of() : features.counts();
    boolean counted = !counts.isEmpty();
    boolean others = features == null || features.others();
    List<NodeRecord> chosen = new ArrayList<>();
    if (counted) {
      chosen.addAll(KindsOfNodes.choose(counts, fit));
      fit.removeAll(chosen);
      fit.removeIf(_ -> !others);
    }
    for (NodeRecord node : fit) {
      if (isEnough(wish, chosen) || counted && !wish.isCounted()) {
        break;
      }
      boolean has = wish.gres().isEmpty() || wish.gres().stream().anyMatch(one -> has(node, one));
      if (has || chosen.size() < wish.nodes()) {
        chosen.add(node);
      }
    }
    boolean all = !counted && !wish.isCounted();
    if (chosen.isEmpty()
        || wish.isCounted() && !isEnough(wish, chosen)
        || all && chosen.size() < candidates(wish, features).size()) {
      throw new ReservationRefusedException(ErrorCode.NODES_BUSY);
    }
    return chosen.stream()
        .map(NodeRecord::name)
        .sorted(Comparator.comparingInt(state::nodePosition))
        .toList();
  }

  /** Whether the nodes have so much together. */
  boolean holds(List<String> names, List<GresCount> gres) {
    List<NodeRecord> nodes = new ArrayList<>();
    for (String name : names) {
      NodeRecord node = state.node(name);
      if (node != null) {
        nodes.add(node);
      }
    }
    return haveAll(nodes, gres);
  }

  private static boolean haveAll(List<NodeRecord> nodes, List<GresCount> gres) {
    for (GresCount one : gres) {
      if (nodes.stream().mapToLong(node -> count(node, one)).sum() < one.count()) {
        return false;
      }
    }
    return true;
  }

  private static boolean has(NodeRecord node, GresCount of) {
    return count(node, of) > 0;
  }

  private static long count(NodeRecord node, GresCount of) {
    NodeGres its = node.config().inventory();
    return its == null ? 0 : its.count(of.name(), of.type());
  }

  /**
   * Cores for a reservation that asks for some without naming nodes: as many of each of its nodes
   * if it says how many nodes, else all that are free of one node after the other.
   *
   * @throws ReservationRefusedException if there are not enough
   */
  List<NodeCores> chooseCores(Reservation wanted) throws ReservationRefusedException {
    ReservationNodeRequest wish = wanted.wish();
    int each = wish.nodes() == 0 ? 0 : (wish.cores() + wish.nodes() - 1) / wish.nodes();
    OccupiedNodes busy = conflicts.busy(wanted);
    OccupiedNodes reserved =
        ReservationConflicts.mayOverlap(wanted) ? new OccupiedNodes() : conflicts.reserved(wanted);
    FeatureConstraint features = features(wish.features());
    if (features != null && !features.isSimple()) {
      throw new ReservationRefusedException(
          ErrorCode.NOT_SUPPORTED, "counts of features are for whole nodes");
    }
    List<NodeRecord> fit = candidates(wish, features);
    fit.removeIf(node -> !node.available());
    fit.sort(
        Comparator.<NodeRecord>comparingInt(node -> reserved.touches(node.name()) ? 1 : 0)
            .thenComparingInt(node -> node.shares().isEmpty() ? 0 : 1));
    TreeMap<Integer, NodeCores> chosen = new TreeMap<>();
    int left = wish.cores();
    for (NodeRecord node : fit) {
      List<Integer> free = free(node, reserved, busy);
      int count = Math.min(each == 0 ? free.size() : each, left);
      if (count > 0 && count <= free.size()) {
        int position = state.nodePosition(node.name());
        chosen.put(position, new NodeCores(node.name(), List.copyOf(free.subList(0, count))));
        left -= count;
      }
    }
    if (left > 0 || chosen.isEmpty()) {
      throw new ReservationRefusedException(ErrorCode.NODES_BUSY);
    }
    return List.copyOf(chosen.values());
  }

  /**
   * So many cores of each of the nodes, the first that are free.
   *
   * @throws ReservationRefusedException if a node has too few
   */
  List<NodeCores> cores(Reservation wanted, List<String> names, List<Integer> counts)
      throws ReservationRefusedException {
    OccupiedNodes busy = conflicts.busy(wanted);
    OccupiedNodes reserved =
        ReservationConflicts.mayOverlap(wanted) ? new OccupiedNodes() : conflicts.reserved(wanted);
    List<NodeCores> chosen = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      NodeRecord node = state.node(names.get(i));
      List<Integer> free = node == null ? List.of() : free(node, reserved, busy);
      if (free.size() < counts.get(i)) {
        throw new ReservationRefusedException(ErrorCode.NODES_BUSY);
      }
      chosen.add(new NodeCores(names.get(i), List.copyOf(free.subList(0, counts.get(i)))));
    }
    return List.copyOf(chosen);
  }

  /** The node's cores that jobs may get and that are free, rising. */
  private static List<Integer> free(NodeRecord node, OccupiedNodes reserved, OccupiedNodes busy) {
    List<Integer> free = new ArrayList<>();
    for (int core = 0; core < cores(node); core++) {
      if (!node.config().specializedCores().contains(core)
          && !reserved.has(node.name(), core)
          && !busy.has(node.name(), core)) {
        free.add(core);
      }
    }
    return free;
  }

  /** As many cores of a node that is idle, null if it has not so many. */
  @Nullable NodeCores instead(NodeCores of, String name) {
    NodeRecord node = state.node(name);
    List<Integer> free =
        node == null ? List.of() : free(node, new OccupiedNodes(), new OccupiedNodes());
    int count = of.cores().size();
    return free.size() < count ? null : new NodeCores(name, List.copyOf(free.subList(0, count)));
  }

  private static boolean isEnough(ReservationNodeRequest wish, List<NodeRecord> nodes) {
    return wish.isCounted()
        && nodes.size() >= wish.nodes()
        && nodes.stream().mapToInt(ReservationNodeSelector::cores).sum() >= wish.cores()
        && haveAll(nodes, wish.gres());
  }

  static int cores(NodeRecord node) {
    return node.config().shape().sockets() * node.config().shape().coresPerSocket();
  }

  private List<NodeRecord> candidates(
      ReservationNodeRequest wish, @Nullable FeatureConstraint features)
      throws ReservationRefusedException {
    List<NodeRecord> fit = new ArrayList<>();
    for (String name : all(wish.partition())) {
      NodeRecord node = state.node(name);
      if (node != null && (features == null || features.matches(node.config().features()))) {
        fit.add(node);
      }
    }
    if (fit.isEmpty() && features != null) {
      throw new ReservationRefusedException(ErrorCode.INVALID_FEATURE);
    }
    return fit;
  }

  private static @Nullable FeatureConstraint features(@Nullable String text)
      throws ReservationRefusedException {
    try {
      return text == null || text.isBlank() ? null : FeatureParser.constraint(text);
    } catch (InvalidFeatureException e) {
      throw new ReservationRefusedException(e.code());
    }
  }

  /** Idle nodes that could take the place of others; in order. */
  List<String> spare(Reservation wanted) {
    try {
      List<NodeRecord> fit = candidates(wanted.wish(), features(wanted.wish().features()));
      OccupiedNodes reserved = conflicts.reserved(wanted);
      wanted.nodes().forEach(node -> reserved.add(node, null));
      fit.removeIf(
          node -> !node.available() || !node.shares().isEmpty() || reserved.touches(node.name()));
      return fit.stream().map(NodeRecord::name).toList();
    } catch (ReservationRefusedException e) {
      return List.of();
    }
  }

  /** Whether a node has what another was chosen for, where kinds or resources are counted. */
  boolean replaces(Reservation of, String gone, String instead) {
    NodeRecord before = state.node(gone);
    NodeRecord after = state.node(instead);
    if (before == null || after == null) {
      return after != null;
    }
    for (GresCount one : of.wish().gres()) {
      if (count(after, one) < count(before, one)) {
        return false;
      }
    }
    try {
      FeatureConstraint features = features(of.wish().features());
      return features == null || features.isSimple() || isOfSameKind(features, before, after);
    } catch (ReservationRefusedException e) {
      return false;
    }
  }

  private static boolean isOfSameKind(
      FeatureConstraint features, NodeRecord before, NodeRecord after) {
    List<FeatureExpression> kinds = new ArrayList<>(features.oneOf());
    features.counts().forEach(count -> kinds.add(count.what()));
    for (FeatureExpression kind : kinds) {
      if (kind.matches(before.config().features()) && !kind.matches(after.config().features())) {
        return false;
      }
    }
    return true;
  }
}
