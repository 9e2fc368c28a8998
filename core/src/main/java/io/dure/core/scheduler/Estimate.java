package io.dure.core.scheduler;

import io.dure.core.config.PartitionConfig;
import io.dure.core.model.JobSpec;
import io.dure.core.model.NodeShare;
import io.dure.core.scheduler.constraint.FeatureExpression.InvalidFeatureException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When and where a job could start if it were first in the queue and every job ran to its limit.
 *
 * @param start when
 * @param partition the partition
 * @param nodes the nodes, in node order
 * @param cpus CPUs on all nodes
 */
public record Estimate(Instant start, String partition, List<String> nodes, int cpus) {

  /**
   * The earliest start in any of the job's partitions, the first named where several are equal.
   *
   * @param uid whose job it is
   * @return null if it cannot be said: it fits nowhere, or jobs without a limit have to end first
   */
  public static @Nullable Estimate of(SchedulerView view, JobSpec spec, int uid, Instant now) {
    Ledger ledger = Ledger.loaded(view, now);
    Estimate best = null;
    for (String name : spec.partitions()) {
      PartitionConfig partition = view.partition(name);
      if (partition == null
          || PartitionRules.closed(partition) != null
          || PartitionRules.forbids(view.settings(), partition, spec) != null) {
        continue;
      }
      Estimate next = in(partition, view, spec, uid, ledger, now);
      if (next != null && (best == null || next.start().isBefore(best.start()))) {
        best = next;
      }
    }
    return best;
  }

  private static @Nullable Estimate in(
      PartitionConfig partition,
      SchedulerView view,
      JobSpec spec,
      int uid,
      Ledger ledger,
      Instant now) {
    try {
      Need need = Feasibility.need(view, partition, spec.resources(), uid);
      int[] liked = Feasibility.liked(need, ledger, ledger.members(partition));
      int[] nodes = Feasibility.up(ledger, liked);
      Instant earliest = spec.beginTime();
      Instant from = earliest == null || earliest.isBefore(now) ? now : earliest;
      List<NodeShare> shares = Placer.place(need, ledger, nodes, List.of());
      if (shares != null) {
        return estimate(from, partition, shares);
      }
      Forecast forecast = Forecast.of(need, ledger, nodes);
      Instant start = forecast == null ? null : forecast.start();
      return forecast == null || start == null
          ? null
          : estimate(start.isBefore(from) ? from : start, partition, forecast.shares());
    } catch (InvalidFeatureException e) {
      return null;
    }
  }

  private static Estimate estimate(
      Instant start, PartitionConfig partition, List<NodeShare> shares) {
    List<String> nodes = new ArrayList<>();
    int cpus = 0;
    for (NodeShare share : shares) {
      nodes.add(share.node());
      cpus += share.cpus();
    }
    return new Estimate(start, partition.name(), List.copyOf(nodes), cpus);
  }
}
