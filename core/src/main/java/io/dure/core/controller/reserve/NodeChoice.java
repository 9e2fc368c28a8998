package io.dure.core.controller.reserve;

import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.NodeRecord;
import io.dure.core.model.ErrorCode;
import io.dure.core.reservation.Reservation;
import io.dure.core.reservation.ReservationWish;
import io.dure.core.scheduler.constraint.FeatureExpression;
import io.dure.core.scheduler.constraint.FeatureExpression.InvalidFeatureException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Chooses nodes for a reservation that asks for some without naming them. */
final class NodeChoice {
  private final ClusterState state;
  private final Conflicts conflicts;

  NodeChoice(ClusterState state, Instant now) {
    this.state = state;
    conflicts = new Conflicts(state, now);
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
   * @throws RefusedException if there are not enough
   */
  List<String> choose(Reservation wanted, List<String> keep) throws RefusedException {
    ReservationWish wish = wanted.wish();
    List<NodeRecord> fit = candidates(wish);
    TreeSet<String> kept = new TreeSet<>(keep);
    NavigableSet<String> busy = conflicts.busy(wanted);
    NavigableSet<String> reserved = conflicts.reserved(wanted);
    fit.removeIf(node ->
        !kept.contains(node.name()) && (!node.available() || busy.contains(node.name()))
            || !Conflicts.mayOverlap(wanted) && reserved.contains(node.name()));
    fit.sort(
        Comparator.<NodeRecord>comparingInt(node -> kept.contains(node.name()) ? 0 : 1)
            .thenComparingInt(node -> reserved.contains(node.name()) ? 1 : 0)
            .thenComparingInt(node -> node.shares().isEmpty() ? 0 : 1));
    TreeSet<Integer> chosen = new TreeSet<>();
    int cores = 0;
    for (NodeRecord node : fit) {
      if (isEnough(wish, chosen.size(), cores)) {
        break;
      }
      chosen.add(state.nodePosition(node.name()));
      cores += cores(node);
    }
    boolean whole = wish.nodes() == 0 && wish.cores() == 0;
    if (chosen.isEmpty()
        || !whole && !isEnough(wish, chosen.size(), cores)
        || whole && chosen.size() < candidates(wish).size()) {
      throw new RefusedException(ErrorCode.NODES_BUSY);
    }
    return chosen.stream().map(position -> state.nodes().require(position).name()).toList();
  }

  private static boolean isEnough(ReservationWish wish, int nodes, int cores) {
    return (wish.nodes() > 0 || wish.cores() > 0) && nodes >= wish.nodes() && cores >= wish.cores();
  }

  static int cores(NodeRecord node) {
    return node.config().shape().sockets() * node.config().shape().coresPerSocket();
  }

  private List<NodeRecord> candidates(ReservationWish wish) throws RefusedException {
    FeatureExpression features = features(wish.features());
    List<NodeRecord> fit = new ArrayList<>();
    for (String name : all(wish.partition())) {
      NodeRecord node = state.node(name);
      if (node != null && (features == null || features.matches(node.config().features()))) {
        fit.add(node);
      }
    }
    if (fit.isEmpty() && features != null) {
      throw new RefusedException(ErrorCode.INVALID_FEATURE);
    }
    return fit;
  }

  private static @Nullable FeatureExpression features(@Nullable String text)
      throws RefusedException {
    try {
      return text == null || text.isBlank() ? null : FeatureExpression.parse(text);
    } catch (InvalidFeatureException e) {
      throw new RefusedException(e.code());
    }
  }

  /** Idle nodes that could take the place of others; in order. */
  List<String> spare(Reservation wanted) {
    try {
      List<NodeRecord> fit = candidates(wanted.wish());
      NavigableSet<String> reserved = conflicts.reserved(wanted);
      reserved.addAll(wanted.nodes());
      fit.removeIf(
          node -> !node.available() || !node.shares().isEmpty() || reserved.contains(node.name()));
      return fit.stream().map(NodeRecord::name).toList();
    } catch (RefusedException e) {
      return List.of();
    }
  }
}
