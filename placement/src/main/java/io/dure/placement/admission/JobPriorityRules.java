package io.dure.placement.admission;

import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.dure.rules.preemption.PreemptionEligibility;
import io.dure.rules.priority.PriorityTable;
import io.dure.rules.queueorder.DurePriorityTable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job's place in the queue: earlier jobs first, moved by nice, unless its priority is fixed. */
public final class JobPriorityRules {
  private static final long TOP = 4_294_901_760L;

  private JobPriorityRules() {}

  /**
   * Priority, at least 1, that a new job gets if it is not held.
   *
   * @param leader the job that leads it, null for none
   */
  public static long ofNew(AdmissionView view, JobSpec spec, @Nullable Job leader) {
    return leader == null
        ? of(view, spec, view.nextJobId(), view.nextJobRound())
        : of(view, spec, leader);
  }

  /** Priority, at least 1, of a job that is not held. */
  public static long of(AdmissionView view, JobSpec spec, Job job) {
    return of(view, spec, job.baseId(), view.round(job));
  }

  /** Where ids begin again, the jobs of the round before stay ahead. */
  private static long of(AdmissionView view, JobSpec spec, int jobId, int round) {
    Long fixed = spec.priority();
    if (fixed != null && fixed > 0) {
      return fixed;
    }
    return Math.clamp(
        TOP - round * view.settings().jobs().maxJobId() - jobId - spec.nice(), 1, 0xFFFF_FFFEL);
  }

  /** The priority by which a job stands in the queue at a time, the highest of its partitions. */
  public static long now(AdmissionView view, Job job, Instant now) {
    if (DurePriorityTable.areInForce(view.settings())) {
      return of(view, job, DurePriorityTable.of(view, now)::priority);
    }
    return PriorityTable.isInForce(view.settings())
        ? of(view, job, table(view, List.of(job), now)::priority)
        : job.priority();
  }

  /** The priorities by which some jobs stand in partitions at a time, as the planner has them. */
  public static PreemptionEligibility.Priorities byPartition(
      AdmissionView view, List<Job> jobs, Instant now) {
    if (DurePriorityTable.areInForce(view.settings())) {
      return DurePriorityTable.of(view, now)::priority;
    }
    return PriorityTable.isInForce(view.settings())
        ? table(view, jobs, now)::priority
        : (job, _) -> job.priority();
  }

  /**
   * The highest priority that waiting jobs may have from a time on as they are, 0 if none waits. By
   * which of the times since they came the queue is in order is not known here.
   */
  public static long most(AdmissionView view, Instant now) {
    if (DurePriorityTable.areInForce(view.settings())) {
      DurePriorityTable standings = DurePriorityTable.of(view, now);
      return view.pending().values().stream().mapToLong(standings::most).max().orElse(0);
    }
    boolean factors = PriorityTable.isInForce(view.settings());
    PriorityTable table = table(view, factors ? view.pending().values() : List.of(), now);
    long top = 0;
    for (Job job : view.pending().values()) {
      top = Math.max(top, factors ? of(view, job, table::most) : job.priority());
    }
    return top;
  }

  private static PriorityTable table(AdmissionView view, List<Job> jobs, Instant now) {
    return PriorityTable.of(view, view.accounts(), view.usage(), jobs, now);
  }

  private static long of(AdmissionView view, Job job, PreemptionEligibility.Priorities priorities) {
    long top = 0;
    for (String name : job.spec().partitions()) {
      PartitionConfig partition = view.partition(name);
      if (partition != null) {
        top = Math.max(top, priorities.of(job, partition));
      }
    }
    return top;
  }
}
