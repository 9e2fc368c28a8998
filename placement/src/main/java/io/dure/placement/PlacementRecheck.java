package io.dure.placement;

import io.dure.model.command.PendingReason;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Placement;
import io.dure.model.config.PartitionConfig;
import io.dure.model.constraint.FeatureExpression.InvalidFeatureException;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.model.request.ResourceRequest;
import io.dure.rules.ArrayThrottle;
import io.dure.rules.JobReadiness;
import io.dure.rules.PartitionRules;
import io.dure.rules.ReservedNodes;
import io.dure.rules.SchedulerView;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether a placement still holds in a view later than the one it was made from. What carries out a
 * plan asks before each start, so that a plan from an old view does no harm.
 */
public final class PlacementRecheck {
  private PlacementRecheck() {}

  /**
   * Why the placement must not be carried out, for a log; null if it may.
   *
   * @param view the state in which it would be carried out
   */
  public static @Nullable String objection(SchedulerView view, Placement placement, Instant now) {
    Job job = view.pending().get(placement.jobId());
    if (job == null) {
      return "the job is not pending";
    }
    job = placement.asRun(job);
    PendingVerdict waits = JobReadiness.blockingVerdict(job, now);
    if (waits != null) {
      return waits.reason();
    }
    if (!ArrayThrottle.matchesTask(job.array(), placement.taskIndex())) {
      return "the array task is not waiting";
    }
    if (ArrayThrottle.reached(view, job.array())) {
      return PendingReason.ARRAY_LIMIT;
    }
    PartitionConfig partition = view.partition(placement.allocation().partition());
    if (partition == null || !job.spec().partitions().contains(partition.name())) {
      return "the partition is not one of the job's";
    }
    String rule = PartitionRules.closedReason(partition);
    if (rule == null) {
      rule = PartitionRules.refusalReason(view, partition, job.spec());
    }
    if (rule == null) {
      rule = ReservedNodes.objection(view, job, placement, now);
    }
    if (ReservedNodes.licenses(view, job.spec(), placement.allocation(), now) == null) {
      return PendingReason.LICENSES;
    }
    return rule == null ? shares(view, job, partition, placement) : rule;
  }

  private static @Nullable String shares(
      SchedulerView view, Job job, PartitionConfig partition, Placement placement) {
    try {
      ResourceRequest request = job.spec().resources();
      PartitionConfig bounds = PartitionRules.freed(view, partition, job.spec());
      NodeDemand need = JobFeasibility.need(view, bounds, request, job.owner().uid());
      NodeDemand preferred =
          request.reach().prefer() == null
              ? need
              : JobFeasibility.need(
                  view, bounds, request.requiringPreferredFeatures(), job.owner().uid());
      if (!Objects.equals(need.jobsPerCore(), placement.allocation().jobsPerCore())) {
        return "partition " + partition.name() + " shares its cores in another way now";
      }
      for (NodeShare share : placement.allocation().shares()) {
        if (!partition.nodes().contains(share.node())) {
          return share.node() + " is not in partition " + partition.name();
        }
        NodeLoad slot = AllocationLedger.slot(view, share.node());
        if (slot == null || !slot.available()) {
          return share.node() + " takes no jobs";
        }
        boolean likes = need.matches(slot.config()) || preferred.matches(slot.config());
        if (!likes || slot.taskCapacity(need) < Math.max(1, share.tasks())) {
          return share.node() + " has no room";
        }
        if (!slot.allOpen(need, share.cores())) {
          return share.node() + " has given these cores away";
        }
        if (!slot.gresFree(share.gres())) {
          return share.node() + " has given these devices away";
        }
      }
      return null;
    } catch (InvalidFeatureException e) {
      return PendingReason.BAD_CONSTRAINTS;
    }
  }
}
