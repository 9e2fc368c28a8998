package io.dure.twin.policy;

import io.dure.model.job.Job;
import io.dure.rules.PlannerTime;
import io.dure.virtual.PendingQueue;
import io.dure.virtual.SchedulingHooks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Gives waiting jobs their numbers in the queue, and new ones when time changes them. */
public final class ReplayQueueRanking implements SchedulingHooks {
  private final QueueOrderPolicy order;
  private final long boundSeconds;
  private final List<QueueOrderPolicy.JobTraits> traits;
  private final long startSecond;

  /** Jobs that may come to wait too long, oldest first. */
  private final PriorityQueue<Waiting> oldest =
      new PriorityQueue<>(Comparator.comparingLong(Waiting::since).thenComparingInt(Waiting::job));

  private record Waiting(long since, int job) {}

  public ReplayQueueRanking(ReplayPolicy policy, long startSecond) {
    order = policy.order();
    Duration bound = policy.starvationBound();
    boundSeconds = bound == null ? Long.MAX_VALUE : bound.toSeconds();
    this.startSecond = startSecond;
    traits = new ArrayList<>();
  }

  /** The same numbers, or from now on those of another policy. */
  public ReplayQueueRanking(ReplayQueueRanking before, ReplayPolicy policy) {
    order = policy.order();
    Duration bound = policy.starvationBound();
    boundSeconds = bound == null ? Long.MAX_VALUE : bound.toSeconds();
    startSecond = before.startSecond;
    traits = new ArrayList<>(before.traits);
    oldest.addAll(before.oldest);
  }

  /** Whether jobs keep the number that they came with. */
  public boolean isAs(ReplayPolicy policy) {
    return order == policy.order();
  }

  /** Remembers what the order looks at; jobs come by rising id, from 1 on. */
  public void know(long seconds, long processors, long submitSecond) {
    traits.add(new QueueOrderPolicy.JobTraits(seconds, processors, submitSecond - startSecond));
  }

  /** A job's number as it comes, or comes back. */
  public long queued(int job, long submitSecond, long now) {
    if (boundSeconds < Long.MAX_VALUE) {
      oldest.add(new Waiting(submitSecond, job));
    }
    return order.number(traits.get(job - 1), now - submitSecond);
  }

  /** Brings the numbers of waiting jobs up to date. */
  @Override
  public void beforePass(PendingQueue queue, Instant at) {
    long now = PlannerTime.second(at);
    if (order.changes()) {
      for (Job job : queue.view().pending().values()) {
        long waited = now - job.submitTime().getEpochSecond();
        if (waited <= boundSeconds) {
          renumber(queue, job, order.number(traits.get(job.id() - 1), waited));
        }
      }
    }
    for (Waiting first = oldest.peek();
        first != null && now - first.since() > boundSeconds;
        first = oldest.peek()) {
      oldest.poll();
      Job job = queue.view().pending().get(first.job());
      if (job != null) {
        renumber(queue, job, QueueOrderPolicy.FIRST);
      }
    }
  }

  private static void renumber(PendingQueue queue, Job job, long number) {
    if (job.priority() != number) {
      queue.update(job.withSpec(job.spec(), number));
    }
  }

  @Override
  public Job returning(Job job, Instant at) {
    return renumbered(job, at);
  }

  /** A job with the number that it has when it comes to the queue then. */
  public Job renumbered(Job job, Instant at) {
    long number = queued(job.id(), job.submitTime().getEpochSecond(), at.getEpochSecond());
    return job.withSpec(job.spec(), number);
  }
}
