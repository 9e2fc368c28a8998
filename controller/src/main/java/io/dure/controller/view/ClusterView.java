package io.dure.controller.view;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.command.Caller;
import io.dure.model.config.PartitionConfig;
import io.dure.model.gres.GresShare;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.node.NodeCondition;
import io.dure.model.node.NodeMetrics;
import io.dure.model.privacy.CallerSight;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationFlag;
import io.dure.protocol.NodeInfo;
import io.dure.protocol.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Nodes and partitions as they are shown. Any thread. */
public final class ClusterView {
  private ClusterView() {}

  /**
   * All nodes and partitions that the caller may see (PrivateData). Of nodes that it may not there
   * is the description, which partitions are counted by, and no state.
   *
   * @param load load of a node by its name
   * @param userName name of a user by uid
   * @param caller the requesting user
   */
  public static Response.Cluster of(
      ClusterState state,
      PendingVerdicts verdicts,
      Function<String, @Nullable NodeMetrics> load,
      IntFunction<String> userName,
      Caller.User caller,
      Instant now) {
    List<String> denied = denied(state, caller);
    boolean bare = denied.contains(Response.Cluster.NODES);
    Map<String, List<String>> partitions = partitions(state);
    TreeSet<String> planned = new TreeSet<>();
    verdicts.byJob().forEach((_, verdict) -> planned.addAll(verdict.plannedNodes()));
    AccountVisibility visible = new AccountVisibility(state, caller);
    Map<String, Reservation> reserved = ReservationView.byNode(state, now);
    List<NodeInfo> nodes = new ArrayList<>();
    for (NodeRecord node : state.nodes().values()) {
      if (bare) {
        nodes.add(bare(node));
        continue;
      }
      NodeInfo info =
          new NodeInfo(
              node.config(),
              node.condition(),
              node.facts(),
              node.responding(),
              node.lastBusy(),
              node.allocatedCpus(),
              node.usedMemoryMib(),
              completing(state, node),
              load.apply(node.name()),
              partitions.getOrDefault(node.name(), List.of()),
              reasonUser(node, userName),
              planned.contains(node.name()),
              gres(node),
              state.settings().resources().trackedTres(),
              null,
              false);
      Reservation its = reserved.get(node.name());
      nodes.add(
          its == null
              ? info
              : info.reserved(visible.sees(its) ? its.name() : "", its.is(ReservationFlag.MAINT)));
    }
    return new Response.Cluster(
        state.settings().controller().clusterName(),
        nodes,
        denied.contains(Response.Cluster.PARTITIONS) ? List.of() : state.partitions(),
        now,
        unlisted(state, caller),
        denied,
        state.licenses(),
        state.licensesInUse(),
        state.settings().preempt().mode(),
        ReservationView.licenses(state, now),
        state.settings().preempt().timeSlice() != null,
        state.settings().resources().gresTypes());
  }

  /** Names of the partitions of each node. */
  private static Map<String, List<String>> partitions(ClusterState state) {
    Map<String, List<String>> partitions = new TreeMap<>();
    for (PartitionConfig partition : state.partitions()) {
      for (String node : partition.nodes()) {
        partitions.computeIfAbsent(node, _ -> new ArrayList<>()).add(partition.name());
      }
    }
    return partitions;
  }

  private static String reasonUser(NodeRecord node, IntFunction<String> userName) {
    NodeCondition condition = node.condition();
    return condition.reasonTime() == null ? "" : userName.apply(condition.reasonUid());
  }

  private static List<String> denied(ClusterState state, Caller.User caller) {
    return Stream.of(Response.Cluster.NODES, Response.Cluster.PARTITIONS)
        .filter(CallerSight.of(state.accounts(), state.settings(), caller)::hides)
        .toList();
  }

  private static NodeInfo bare(NodeRecord node) {
    return new NodeInfo(
        node.config(),
        NodeCondition.GOOD,
        null,
        true,
        null,
        0,
        0,
        false,
        null,
        List.of(),
        "",
        false,
        List.of(),
        List.of(),
        null,
        false);
  }

  /**
   * Names of the partitions that are hidden, or closed to the caller's groups; none for operators.
   */
  public static List<String> unlisted(ClusterState state, Caller.User caller) {
    List<String> names = new ArrayList<>();
    if (CallerSight.of(state.accounts(), state.settings(), caller).operator()) {
      return names;
    }
    for (PartitionConfig partition : state.partitions()) {
      List<String> groups = partition.access().allowGroups();
      boolean open = groups.isEmpty() || !Collections.disjoint(groups, caller.groups());
      if (partition.hidden() || !open) {
        names.add(partition.name());
      }
    }
    return names;
  }

  /** What jobs hold; nothing to look for where there is nothing to hold. */
  private static List<GresShare> gres(NodeRecord node) {
    List<GresShare> held = new ArrayList<>();
    if (node.config().inventory() != null) {
      node.shares().forEach((_, share) -> held.addAll(share.gres()));
    }
    return held;
  }

  private static boolean completing(ClusterState state, NodeRecord node) {
    for (int jobId : node.shares().keys()) {
      Job job = state.active().get(jobId);
      if (job != null && job.state() instanceof JobState.Completing) {
        return true;
      }
    }
    return false;
  }
}
