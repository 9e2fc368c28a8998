package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.report.WaitCause;
import io.dure.rules.JobReadiness;
import io.dure.rules.queueorder.QueueOrder;
import io.dure.scheduler.PlannerOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The jobs ahead of a job in the first of its partitions that is there.
 *
 * @param partition that partition
 * @param priority the number by which the job stands
 * @param ahead jobs that could start by themselves and stand before it
 */
public record JobsAhead(PartitionConfig partition, long priority, List<Job> ahead) {

  /** Jobs of one owner. */
  record OwnerJobs(WaitCause.Queue.Owner owner, List<Integer> jobs) {}

  /** The jobs ahead of a pending job, null where none of its partitions is there. */
  public static @Nullable JobsAhead of(ClusterState state, Job job, Instant now) {
    for (String name : job.spec().partitions()) {
      PartitionConfig partition = state.partition(name);
      if (partition == null) {
        continue;
      }
      QueueOrder.Scores scores = PlannerOptions.of(state.settings()).order().scoresAt(state, now);
      long own = scores.of(job, partition);
      List<Job> ahead = new ArrayList<>();
      for (Job other : state.pending().values()) {
        if (other.id() != job.id()
            && other.spec().partitions().contains(name)
            && JobReadiness.blockingVerdict(other, now) == null) {
          long its = scores.of(other, partition);
          if (its < own || its == own && isBefore(other, job)) {
            ahead.add(other);
          }
        }
      }
      return new JobsAhead(partition, -own, List.copyOf(ahead));
    }
    return null;
  }

  /**
   * The pending jobs that are not behind a job wherever they could meet, and the job itself. One
   * that cannot start by itself yet is taken for what it would be if it could.
   */
  static List<Integer> notBehind(ClusterState state, Job job, Instant now) {
    QueueOrder.Scores scores = PlannerOptions.of(state.settings()).order().scoresAt(state, now);
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

  /** The jobs ahead of it by owner, the owner that asks for most first. */
  List<OwnerJobs> crowds() {
    Map<String, List<Job>> byOwner = new TreeMap<>();
    for (Job job : ahead) {
      String account = Objects.requireNonNullElse(job.spec().account(), "");
      byOwner
          .computeIfAbsent(account + " " + job.owner().userName(), _ -> new ArrayList<>())
          .add(job);
    }
    List<OwnerJobs> crowds = new ArrayList<>();
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
          new OwnerJobs(
              new WaitCause.Queue.Owner(one.owner().userName(), one.spec().account(), count, cpus),
              jobs.stream().map(Job::id).toList()));
    }
    crowds.sort(Comparator.comparingLong((OwnerJobs one) -> one.owner().cpus()).reversed());
    return crowds;
  }

  /** What takes these away. */
  Counterfactual without(ExplanationQuery question, List<OwnerJobs> crowds) {
    List<Integer> jobs = new ArrayList<>();
    crowds.forEach(one -> jobs.addAll(one.jobs()));
    WaitCause cause =
        new WaitCause.Queue(partition.name(), crowds.stream().map(OwnerJobs::owner).toList());
    return Counterfactual.ending(question, cause, jobs);
  }
}
