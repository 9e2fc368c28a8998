package io.dure.controller.view;

import io.dure.cluster.ClusterState;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.collection.IntMap;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.queueorder.PolicySettings;
import io.dure.model.job.Job;
import io.dure.rules.priority.PriorityTable;
import io.dure.rules.queueorder.DurePriorityTable;
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
public final class DisplayedPriorities {
  private final Instant at;
  private final Basis basis;
  private final @Nullable PriorityTable table;
  private final @Nullable PriorityTable later;

  /** By ids, where Dure's own order holds. */
  private final @Nullable IntMap<Long> own;

  /** What they were made by; not the state, which would be kept as long. */
  private record Basis(
      ClusterConfig config, AccountingTree accounts, List<PartitionConfig> partitions) {
    static Basis of(ClusterState state) {
      return new Basis(state.config(), state.accounts(), state.partitions());
    }
  }

  private DisplayedPriorities(
      Instant at,
      Basis basis,
      @Nullable PriorityTable table,
      @Nullable PriorityTable later,
      @Nullable IntMap<Long> own) {
    this.at = at;
    this.basis = basis;
    this.table = table;
    this.later = later;
    this.own = own;
  }

  /** Those of all jobs that wait or run at a time. */
  public static DisplayedPriorities of(ClusterState state, Instant now) {
    List<Job> jobs = new ArrayList<>();
    if (DurePriorityTable.areInForce(state.settings())) {
      IntMap<Long> own = with(IntMap.empty(), state, state.pending().values(), now);
      own = with(own, state, state.active().values(), now);
      return new DisplayedPriorities(now, Basis.of(state), null, null, own);
    }
    boolean factors = PriorityTable.isInForce(state.settings());
    if (factors) {
      jobs.addAll(state.pending().values());
      jobs.addAll(state.active().values());
    }
    return new DisplayedPriorities(
        now, Basis.of(state), factors ? table(state, jobs, now) : null, null, null);
  }

  private static IntMap<Long> with(
      IntMap<Long> known, ClusterState state, List<Job> jobs, Instant now) {
    DurePriorityTable standings = DurePriorityTable.of(state, now);
    IntMap<Long> all = known;
    for (Job job : jobs) {
      long top = 0;
      for (String name : job.spec().partitions()) {
        PartitionConfig partition = state.partition(name);
        top = partition == null ? top : Math.max(top, standings.priority(job, partition));
      }
      all = all.with(job.id(), top);
    }
    return all;
  }

  private static PriorityTable table(ClusterState state, List<Job> jobs, Instant now) {
    return PriorityTable.of(state, state.accounts(), state.usage(), jobs, now);
  }

  /** Whether these still hold: the period is not over, and what they were made by is the same. */
  @SuppressWarnings("ReferenceEquality") // what was not changed is the same object
  public boolean holdFor(ClusterState state, Instant now) {
    if (basis.config() != state.config()) {
      return false;
    }
    if (table == null && own == null) {
      return true;
    }
    PolicySettings policy = state.settings().scheduling().policy();
    Duration period = policy == null ? state.settings().priority().calcPeriod() : policy.interval();
    long seconds = Math.max(1, period.toSeconds());
    return basis.accounts() == state.accounts()
        && basis.partitions() == state.partitions()
        && !now.isBefore(at)
        && now.isBefore(at.plusSeconds(seconds));
  }

  /** When they were worked out. */
  public Instant at() {
    return at;
  }

  /** These, and those of owners who had no job when they were worked out. */
  public DisplayedPriorities covering(ClusterState state, List<Job> jobs) {
    IntMap<Long> known = own;
    if (known != null) {
      List<Job> others = jobs.stream().filter(job -> !known.contains(job.id())).toList();
      return others.isEmpty()
          ? this
          : new DisplayedPriorities(at, basis, null, null, with(known, state, others, at));
    }
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
    return new DisplayedPriorities(at, basis, table, table(state, unknown, at), null);
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

  /** The priority of a job; by factors, in the first of its partitions, as Slurm shows it. */
  public long of(ClusterState state, Job job) {
    Long standing = own == null ? null : own.get(job.id());
    if (standing != null) {
      return standing;
    }
    PriorityTable factors = tableOf(state, job);
    if (factors == null) {
      return job.priority();
    }
    for (String name : job.spec().partitions()) {
      PartitionConfig partition = state.partition(name);
      if (partition != null) {
        return factors.priority(job, partition);
      }
    }
    return 0;
  }
}
