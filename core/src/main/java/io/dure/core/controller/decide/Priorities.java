package io.dure.core.controller.decide;

import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.ClusterState;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.scheduler.policy.Standings;
import io.dure.core.scheduler.preempt.Preemptability;
import io.dure.core.scheduler.priority.PriorityTable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job's place in the queue: earlier jobs first, moved by nice, unless somebody fixed it. */
final class Priorities {
  private static final long TOP = 4_294_901_760L;

  private Priorities() {}

  /**
   * Priority, at least 1, that a new job gets if it is not held.
   *
   * @param leader the job that leads it, null for none
   */
  static long ofNew(ClusterState state, JobSpec spec, @Nullable Job leader) {
    return leader == null
        ? of(state, spec, state.nextJobId(), state.nextJobRound())
        : of(state, spec, leader);
  }

  /** Priority, at least 1, of a job that is not held. */
  static long of(ClusterState state, JobSpec spec, Job job) {
    return of(state, spec, job.baseId(), ClusterState.round(job));
  }

  /** Where ids begin again, the jobs of the round before stay ahead. */
  private static long of(ClusterState state, JobSpec spec, int jobId, int round) {
    Long fixed = spec.priority();
    if (fixed != null && fixed > 0) {
      return fixed;
    }
    return Math.clamp(
        TOP - round * state.settings().jobs().maxJobId() - jobId - spec.nice(), 1, 0xFFFF_FFFEL);
  }

  /** The priority by which a job stands in the queue at a time, the highest of its partitions. */
  static long now(ClusterState state, Job job, Instant now) {
    if (Standings.areInForce(state.settings())) {
      return of(state, job, Standings.of(state, now)::priority);
    }
    return PriorityTable.isInForce(state.settings())
        ? of(state, job, table(state, List.of(job), now)::priority)
        : job.priority();
  }

  /** The priorities by which some jobs stand in partitions at a time, as the planner has them. */
  static Preemptability.Priorities byPartition(ClusterState state, List<Job> jobs, Instant now) {
    if (Standings.areInForce(state.settings())) {
      return Standings.of(state, now)::priority;
    }
    return PriorityTable.isInForce(state.settings())
        ? table(state, jobs, now)::priority
        : (job, _) -> job.priority();
  }

  /**
   * The highest priority that waiting jobs may have from a time on as they are, 0 if none waits. By
   * which of the times since they came the queue is in order is not known here.
   */
  static long most(ClusterState state, Instant now) {
    if (Standings.areInForce(state.settings())) {
      Standings standings = Standings.of(state, now);
      return state.pending().values().stream().mapToLong(standings::most).max().orElse(0);
    }
    boolean factors = PriorityTable.isInForce(state.settings());
    PriorityTable table = table(state, factors ? state.pending().values() : List.of(), now);
    long top = 0;
    for (Job job : state.pending().values()) {
      top = Math.max(top, factors ? of(state, job, table::most) : job.priority());
    }
    return top;
  }

  private static PriorityTable table(ClusterState state, List<Job> jobs, Instant now) {
    return PriorityTable.of(state, state.accounts(), state.usage(), jobs, now);
  }

  private static long of(ClusterState state, Job job, Preemptability.Priorities priorities) {
    long top = 0;
    for (String name : job.spec().partitions()) {
      PartitionConfig partition = state.partition(name);
      if (partition != null) {
        top = Math.max(top, priorities.of(job, partition));
      }
    }
    return top;
  }
}
