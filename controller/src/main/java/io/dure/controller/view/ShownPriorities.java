package io.dure.controller.view;

import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.ClusterState;
import io.dure.core.model.Job;
import io.dure.core.scheduler.priority.PriorityTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The priorities of jobs as they are shown: worked out once for all, and again every
 * PriorityCalcPeriod. Where no factor has a weight, the place that each job was given when it was
 * submitted. Immutable; any thread.
 */
public final class ShownPriorities {
  private final Instant at;
  private final ClusterState basis;
  private final @Nullable PriorityTable table;
  private final @Nullable PriorityTable later;

  private ShownPriorities(
      Instant at,
      ClusterState basis,
      @Nullable PriorityTable table,
      @Nullable PriorityTable later) {
    this.at = at;
    this.basis = basis;
    this.table = table;
    this.later = later;
  }

  /** Those of all jobs that wait or run at a time. */
  public static ShownPriorities of(ClusterState state, Instant now) {
    List<Job> jobs = new ArrayList<>();
    boolean factors = PriorityTable.isInForce(state.settings());
    if (factors) {
      jobs.addAll(state.pending().values());
      jobs.addAll(state.active().values());
    }
    return new ShownPriorities(now, state, factors ? table(state, jobs, now) : null, null);
  }

  private static PriorityTable table(ClusterState state, List<Job> jobs, Instant now) {
    return PriorityTable.of(state, state.accounts(), state.usage(), jobs, now);
  }

  /** Whether these still hold: the period is not over, and what they were made by is the same. */
  @SuppressWarnings("ReferenceEquality") // what was not changed is the same object
  public boolean holdFor(ClusterState state, Instant now) {
    if (basis.config() != state.config()
        || basis.accounts() != state.accounts()
        || basis.partitions() != state.partitions()) {
      return false;
    }
    Duration period = state.settings().priority().calcPeriod();
    long seconds = Math.max(1, period.toSeconds());
    return table == null || (!now.isBefore(at) && now.isBefore(at.plusSeconds(seconds)));
  }

  /** When they were worked out. */
  public Instant at() {
    return at;
  }

  /** These, and those of owners who had no job when they were worked out. */
  public ShownPriorities covering(ClusterState state, List<Job> jobs) {
    if (table == null) {
      return this;
    }
    boolean more = false;
    for (Job job : jobs) {
      more |= !knows(state, table, job) && (later == null || !knows(state, later, job));
    }
    if (!more) {
      return this;
    }
    List<Job> unknown = new ArrayList<>();
    for (List<Job> some : List.of(state.pending().values(), state.active().values(), jobs)) {
      for (Job job : some) {
        if (!knows(state, table, job)) {
          unknown.add(job);
        }
      }
    }
    return new ShownPriorities(at, basis, table, table(state, unknown, at));
  }

  private static boolean knows(ClusterState state, PriorityTable table, Job job) {
    for (String name : job.spec().partitions()) {
      PartitionConfig partition = state.partition(name);
      if (partition != null && !table.knows(job, partition)) {
        return false;
      }
    }
    return true;
  }

  /** The table that a job stands in, null where no factor has a weight. */
  @Nullable PriorityTable tableOf(ClusterState state, Job job) {
    return table == null || later == null || knows(state, table, job) ? table : later;
  }

  /** The priority of a job, the highest of its partitions. */
  public long of(ClusterState state, Job job) {
    PriorityTable own = tableOf(state, job);
    if (own == null) {
      return job.priority();
    }
    long top = 0;
    for (String name : job.spec().partitions()) {
      PartitionConfig partition = state.partition(name);
      if (partition != null) {
        top = Math.max(top, own.priority(job, partition));
      }
    }
    return top;
  }
}
