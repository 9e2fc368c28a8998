package io.dure.core.scheduler;

import io.dure.core.config.PartitionConfig;
import io.dure.core.model.Job;
import io.dure.core.model.NodeShare;
import io.dure.core.model.ResourceRequest;
import io.dure.core.scheduler.constraint.FeatureExpression.InvalidFeatureException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether a placement still holds in a view later than the one it was made from. Whoever carries
 * out a plan asks before each start, so that a plan from an old view does no harm.
 */
public final class Recheck {
  private Recheck() {}

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
    Verdict waits = Readiness.of(job, now);
    if (waits != null) {
      return waits.reason();
    }
    if (!Throttle.names(job.array(), placement.taskIndex())) {
      return "the array task is not waiting";
    }
    if (Throttle.reached(view, job.array())) {
      return Reason.ARRAY_LIMIT;
    }
    PartitionConfig partition = view.partition(placement.allocation().partition());
    if (partition == null || !job.spec().partitions().contains(partition.name())) {
      return "the partition is not one of the job's";
    }
    String rule = PartitionRules.closed(partition);
    if (rule == null) {
      rule = PartitionRules.forbids(view, partition, job.spec());
    }
    if (rule == null) {
      rule = ReservedNodes.objection(view, job, placement, now);
    }
    if (ReservedNodes.licenses(view, job.spec(), placement.allocation(), now) == null) {
      return Reason.LICENSES;
    }
    return rule == null ? shares(view, job, partition, placement) : rule;
  }

  private static @Nullable String shares(
      SchedulerView view, Job job, PartitionConfig partition, Placement placement) {
    try {
      ResourceRequest request = job.spec().resources();
      PartitionConfig bounds = PartitionRules.freed(view, partition, job.spec());
      Need need = Feasibility.need(view, bounds, request, job.owner().uid());
      Need preferred =
          request.reach().prefer() == null
              ? need
              : Feasibility.need(view, bounds, request.asPreferred(), job.owner().uid());
      if (!Objects.equals(need.jobsPerCore(), placement.allocation().jobsPerCore())) {
        return "partition " + partition.name() + " shares its cores in another way now";
      }
      for (NodeShare share : placement.allocation().shares()) {
        if (!partition.nodes().contains(share.node())) {
          return share.node() + " is not in partition " + partition.name();
        }
        Slot slot = Ledger.slot(view, share.node());
        if (slot == null || !slot.available()) {
          return share.node() + " takes no jobs";
        }
        boolean likes = need.likes(slot.config()) || preferred.likes(slot.config());
        if (!likes || slot.room(need) < Math.max(1, share.tasks())) {
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
      return Reason.BAD_CONSTRAINTS;
    }
  }
}
