package io.dure.core.scheduler;

import io.dure.core.config.PartitionConfig;
import io.dure.core.config.Settings;
import io.dure.core.model.Job;
import io.dure.core.model.NodeShare;
import io.dure.core.model.gres.License;
import io.dure.core.scheduler.constraint.FeatureExpression.InvalidFeatureException;
import java.time.Instant;
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
      rule = PartitionRules.forbids(view.settings(), partition, job.spec());
    }
    if (rule == null) {
      rule = ReservedNodes.objection(view, job, placement, now);
    }
    String licenses = job.spec().resources().more().licenses();
    if (licenses != null && License.free(licenses, view.licenses(), view.licensesInUse()) == null) {
      return Reason.LICENSES;
    }
    return rule == null ? shares(view, job, partition, placement) : rule;
  }

  private static @Nullable String shares(
      SchedulerView view, Job job, PartitionConfig partition, Placement placement) {
    try {
      Need need = Feasibility.need(view, partition, job.spec().resources(), job.owner().uid());
      for (NodeShare share : placement.allocation().shares()) {
        if (!partition.nodes().contains(share.node())) {
          return share.node() + " is not in partition " + partition.name();
        }
        Slot slot = Ledger.slot(view, share.node());
        if (slot == null || !slot.available()) {
          return share.node() + " takes no jobs";
        }
        if (!need.likes(slot.config()) || slot.room(need) < Math.max(1, share.tasks())) {
          return share.node() + " has no room";
        }
        if (need.unit() != Settings.Unit.CPU && !slot.allFree(share.cores())) {
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
