package io.dure.rules.gang;

import io.dure.model.config.PartitionConfig;
import io.dure.model.config.preempt.PreemptSettings;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.rules.SchedulerNode;
import io.dure.rules.SchedulerView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which of the jobs that share cores may run side by side. Of a partition one job runs on a core at
 * a time; one of a partition that jobs are suspended for runs before those of partitions below.
 * Those that wait keep their places, so the jobs that a job meets stay the same while jobs only
 * take turns; what they do is asked anew each time. Components of heterogeneous jobs take no part.
 * For one thread, and for one decision.
 */
public final class GangRules {
  private final SchedulerView view;
  private final PreemptSettings rules;
  private final IntFunction<@Nullable Job> jobs;

  /** For each node that was asked about, the jobs that hold each core. */
  private final TreeMap<String, List<List<Integer>>> holders = new TreeMap<>();

  /**
   * The rules of a view.
   *
   * @param jobs the jobs that hold something as they are when it is asked, by id
   */
  public GangRules(SchedulerView view, IntFunction<@Nullable Job> jobs) {
    this.view = view;
    rules = view.settings().preempt();
    this.jobs = jobs;
  }

  /** Whether a job takes turns with those that have the same cores. */
  public boolean takesPart(Job job) {
    Allocation allocation = job.state().allocated();
    PartitionConfig partition = allocation == null ? null : view.partition(allocation.partition());
    return allocation != null
        && allocation.jobsPerCore() != null
        && job.het() == null
        && partition != null
        && rules.takesTurns(partition.preemptMode());
  }

  /** Whether its processes move, as far as others are concerned. */
  private static boolean runs(Job job) {
    return job.state() instanceof JobState.Running running && !running.configuring();
  }

  /** Whether it waits for its turn. */
  public static boolean waits(Job job) {
    return job.state() instanceof JobState.Suspended suspended
        && suspended.cause() == JobState.Suspended.Cause.TIME_SLICE;
  }

  /** The running jobs of some nodes, first in order first. */
  public List<Job> running(Collection<String> nodes) {
    return on(nodes).stream()
        .filter(GangRules::runs)
        .filter(this::takesPart)
        .sorted(order())
        .toList();
  }

  /** The jobs of some nodes that wait for their turn, next first. */
  public List<Job> waiting(Collection<String> nodes) {
    return on(nodes).stream().filter(GangRules::waits).sorted(order()).toList();
  }

  /** The jobs of some nodes that are suspended for others, next first. */
  public List<Job> madeRoom(Collection<String> nodes) {
    return on(nodes).stream()
        .filter(job ->
            job.state() instanceof JobState.Suspended suspended
                && suspended.cause() == JobState.Suspended.Cause.PREEMPTION)
        .sorted(order())
        .toList();
  }

  /** The higher partitions first, then jobs that have run or waited for longest. */
  public Comparator<Job> order() {
    return Comparator.comparingInt((Job job) -> -tier(job))
        .thenComparing(GangRules::since)
        .thenComparingInt(Job::id);
  }

  private List<Job> on(Collection<String> nodes) {
    TreeSet<Integer> ids = new TreeSet<>();
    for (String name : nodes) {
      SchedulerNode node = view.nodeNamed(name);
      if (node != null) {
        ids.addAll(node.shares().keys());
      }
    }
    List<Job> found = new ArrayList<>(ids.size());
    for (int id : ids) {
      Job job = jobs.apply(id);
      if (job != null) {
        found.add(job);
      }
    }
    return found;
  }

  /** Since when a job has run without a pause, or stood still. */
  private static Instant since(Job job) {
    return switch (job.state()) {
      case JobState.Running running -> running.runsSince();
      case JobState.Suspended suspended -> suspended.since();
      case JobState.Completing _, JobState.Pending _, JobState.Ended _ -> Instant.MIN;
    };
  }

  /** Whether a running job has to wait, for another one runs on its cores that stands before it. */
  public boolean yields(Job job) {
    for (Job other : others(job)) {
      boolean first = isAbove(other, job) || isBeside(other, job) && isBefore(other, job);
      if (first && runs(other)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isBefore(Job one, Job other) {
    int order = since(one).compareTo(since(other));
    return order < 0 || order == 0 && one.id() < other.id();
  }

  /**
   * Whether a job that waits may go on: no job runs on its cores that it would have to wait for.
   */
  public boolean hasRoom(Job job) {
    return !takesPart(job)
        || others(job).stream()
            .noneMatch(one -> isActive(one) && (isAbove(one, job) || isBeside(one, job)));
  }

  /** Whether its turn cannot come now: the jobs that have its cores are not suspended for it. */
  public boolean isKept(Job job) {
    return others(job).stream()
        .anyMatch(one ->
            isActive(one) && isAbove(one, job)
                || one.state() instanceof JobState.Completing && isBeside(one, job));
  }

  /** Jobs of other partitions that it does not share its cores with: they wait then. */
  public List<Job> below(Job job) {
    return others(job).stream().filter(one -> runs(one) && isAbove(job, one)).toList();
  }

  /** Those of its partition that run on its cores. */
  public List<Job> beside(Job job) {
    return others(job).stream().filter(one -> runs(one) && isBeside(one, job)).toList();
  }

  private static boolean isActive(Job job) {
    return runs(job) || job.state() instanceof JobState.Completing;
  }

  private static String partition(Job job) {
    Allocation allocation = job.state().allocated();
    return allocation == null ? "" : allocation.partition();
  }

  private static boolean isBeside(Job one, Job other) {
    return partition(one).equals(partition(other));
  }

  /** Whether jobs of the one's partition suspend those of the other's. */
  private boolean isAbove(Job one, Job other) {
    PartitionConfig its = view.partition(partition(other));
    return tier(one) > tier(other) && its != null && rules.makesWay(its.preemptMode());
  }

  private int tier(Job job) {
    PartitionConfig its = view.partition(partition(job));
    return its == null ? 0 : its.priorityTier();
  }

  /** Other jobs that take turns and hold one of its cores, where nothing was cleaned up yet. */
  private List<Job> others(Job job) {
    Allocation allocation = job.state().allocated();
    Set<Integer> ids = new LinkedHashSet<>();
    for (NodeShare share : allocation == null ? List.<NodeShare>of() : allocation.shares()) {
      List<List<Integer>> on = holders.computeIfAbsent(share.node(), this::holders);
      for (int core : share.cores()) {
        if (core < on.size()) {
          ids.addAll(on.get(core));
        }
      }
    }
    ids.remove(job.id());
    List<Job> others = new ArrayList<>(ids.size());
    for (int id : ids) {
      Job other = jobs.apply(id);
      if (other != null && takesPart(other)) {
        others.add(other);
      }
    }
    return others;
  }

  private List<List<Integer>> holders(String name) {
    List<List<Integer>> cores = new ArrayList<>();
    SchedulerNode node = view.nodeNamed(name);
    if (node != null) {
      node.shares()
          .forEach((id, share) -> {
            for (int core : share.cores()) {
              while (cores.size() <= core) {
                cores.add(new ArrayList<>(2));
              }
              cores.get(core).add(id);
            }
          });
    }
    return cores;
  }
}
