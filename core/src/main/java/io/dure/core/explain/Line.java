package io.dure.core.explain;

import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.ClusterState;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Job;
import io.dure.core.scheduler.Readiness;
import io.dure.core.scheduler.plan.PlannerOptions;
import io.dure.core.scheduler.policy.Order;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who stands before a job in the first of its partitions that is there.
 *
 * @param partition that partition
 * @param priority the number by which the job stands
 * @param ahead jobs that could start by themselves and stand before it
 */
public record Line(PartitionConfig partition, long priority, List<Job> ahead) {

  /** Jobs of one owner. */
  record Crowd(Cause.Queue.Owner owner, List<Integer> jobs) {}

  /** Who stands before a job that waits, null where none of its partitions is there. */
  public static @Nullable Line of(ClusterState state, Job job, Instant now) {
    for (String name : job.spec().partitions()) {
      PartitionConfig partition = state.partition(name);
      if (partition == null) {
        continue;
      }
      Order.Scores scores = PlannerOptions.of(state.settings()).order().at(state, now);
      long own = scores.of(job, partition);
      List<Job> ahead = new ArrayList<>();
      for (Job other : state.pending().values()) {
        if (other.id() != job.id()
            && other.spec().partitions().contains(name)
            && Readiness.of(other, now) == null) {
          long its = scores.of(other, partition);
          if (its < own || its == own && isBefore(other, job)) {
            ahead.add(other);
          }
        }
      }
      return new Line(partition, -own, List.copyOf(ahead));
    }
    return null;
  }

  /**
   * Who waits and is not behind a job wherever they could meet, and the job itself. Who can not
   * start by himself yet is taken for what he would be if he could.
   */
  static List<Integer> notBehind(ClusterState state, Job job, Instant now) {
    Order.Scores scores = PlannerOptions.of(state.settings()).order().at(state, now);
    int tier = Integer.MAX_VALUE;
    long score = Long.MIN_VALUE;
    for (String name : job.spec().partitions()) {
      PartitionConfig partition = state.partition(name);
      if (partition != null) {
        tier = Math.min(tier, partition.priorityTier());
        score = Math.max(score, scores.of(job, partition));
      }
    }
    List<Integer> ids = new ArrayList<>();
    for (Job other : state.pending().values()) {
      boolean before = other.id() == job.id() || other.baseId() == job.baseId();
      for (String name : before ? List.<String>of() : other.spec().partitions()) {
        PartitionConfig partition = state.partition(name);
        if (partition != null && partition.priorityTier() >= tier) {
          before |= partition.priorityTier() > tier || scores.of(other, partition) <= score;
        }
      }
      if (before) {
        ids.add(other.id());
      }
    }
    return ids;
  }

  private static boolean isBefore(Job one, Job other) {
    int order = one.submitTime().compareTo(other.submitTime());
    return order == 0 ? one.id() < other.id() : order < 0;
  }

  /** Those who stand before it by whose they are, those who ask for most first. */
  List<Crowd> crowds() {
    Map<String, List<Job>> byOwner = new TreeMap<>();
    for (Job job : ahead) {
      String account = Objects.requireNonNullElse(job.spec().account(), "");
      byOwner
          .computeIfAbsent(account + " " + job.owner().userName(), _ -> new ArrayList<>())
          .add(job);
    }
    List<Crowd> crowds = new ArrayList<>();
    for (List<Job> jobs : byOwner.values()) {
      long count = 0;
      long cpus = 0;
      for (Job job : jobs) {
        int tasks = job.array() instanceof ArrayPart.Waiting part ? part.waiting().size() : 1;
        count += tasks;
        cpus += (long) tasks * job.spec().resources().totalCpus();
      }
      Job one = jobs.getFirst();
      crowds.add(
          new Crowd(
              new Cause.Queue.Owner(one.owner().userName(), one.spec().account(), count, cpus),
              jobs.stream().map(Job::id).toList()));
    }
    crowds.sort(Comparator.comparingLong((Crowd one) -> one.owner().cpus()).reversed());
    return crowds;
  }

  /** What takes these away. */
  Lever without(List<Crowd> crowds, Instant now) {
    List<Integer> jobs = new ArrayList<>();
    crowds.forEach(one -> jobs.addAll(one.jobs()));
    Cause cause = new Cause.Queue(partition.name(), crowds.stream().map(Crowd::owner).toList());
    return Lever.ending(cause, jobs, now);
  }
}
