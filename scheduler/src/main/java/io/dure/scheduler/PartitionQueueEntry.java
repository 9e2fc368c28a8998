package io.dure.scheduler;

import io.dure.model.command.PendingVerdict;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.model.request.JobSpec;
import io.dure.placement.AllocationLedger;
import io.dure.placement.NodeAllocation;
import io.dure.placement.NodeDemand;
import io.dure.rules.PlannerTime;
import io.dure.rules.limits.JobDemand;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pending job record in one of its partitions. */
final class PartitionQueueEntry implements Comparable<PartitionQueueEntry> {
  final QueuedJob item;
  final PartitionConfig partition;
  final JobEquivalenceClass lane;

  /** Number of the pass that last said something of its own about it. */
  long spoken;

  @Nullable PendingVerdict verdict;

  /** Whether a start was looked for last time and none was found within the window. */
  boolean vain;

  private long score;
  private boolean inTurn;

  /** What the job asks for, as limits count it, and what that was made of. */
  private @Nullable JobDemand asked;

  private @Nullable JobSpec askedBy;

  private final Instant submit;
  private final int baseId;
  private final int task;

  private final int number;

  /** An entry that scores nothing yet; its number is different from that of any other. */
  PartitionQueueEntry(
      QueuedJob item, PartitionConfig partition, JobEquivalenceClass lane, int number) {
    this.number = number;
    this.item = item;
    this.partition = partition;
    this.lane = lane;
    Job job = item.job;
    submit = job.submitTime();
    baseId = job.baseId();
    task =
        switch (job.array()) {
          case null -> -1;
          case ArrayPart.Task part -> part.index();
          case ArrayPart.Waiting part -> part.waiting().first();
        };
  }

  /** Whether a pass said something of the job alone, or starts it. */
  boolean hasItsOwn(long pass) {
    return spoken == pass || item.started == pass;
  }

  /** What it scores. */
  long score() {
    return score;
  }

  /** Its place in the queue, which stays where it is when the entry scores otherwise. */
  PartitionQueueEntry mark() {
    PartitionQueueEntry mark = new PartitionQueueEntry(item, partition, lane, number);
    mark.score = score;
    return mark;
  }

  /** It scores otherwise; it must not be in its lane meanwhile. */
  void score(long next, boolean nextInTurn) {
    score = next;
    inTurn = nextInTurn;
    vain = false;
  }

  /** Whether it comes in the order of submission. */
  boolean isInTurn() {
    return inTurn;
  }

  /** Whether it stands where an entry of this record would that scores the same. */
  boolean stands(Job job) {
    return job.submitTime().equals(submit)
        && job.baseId() == baseId
        && !(job.array() instanceof ArrayPart.Waiting);
  }

  /** What it asks for, as limits count it. */
  @SuppressWarnings("ReferenceEquality") // a request that is another object may be an equal one
  JobDemand asked() {
    JobDemand known = asked;
    if (known == null || askedBy != item.job.spec()) {
      known = JobDemand.asked(item.job, partition);
      asked = known;
      askedBy = item.job.spec();
    }
    return known;
  }

  /** Since when it could have started. */
  Instant since() {
    Instant eligible = item.job.eligibleTime();
    return eligible == null ? submit : eligible;
  }

  /** Its priority, where jobs are considered by priority. */
  long priority() {
    return -score;
  }

  /** When it ends if it starts then, seconds since 1970. */
  long end(long start) {
    return end(start, lane.seconds(start));
  }

  /** When it ends if it starts then for so long. */
  long end(long start, long seconds) {
    long end = PlannerTime.after(start, seconds);
    Instant deadline = item.job.spec().deadline();
    return deadline == null ? end : Math.min(end, PlannerTime.second(deadline));
  }

  /** What it holds of a node until then. */
  NodeAllocation holding(AllocationLedger ledger, NodeShare share, long end) {
    Job job = item.job;
    return new NodeAllocation(
        ledger.index(share.node()),
        share,
        job.owner().uid(),
        NodeDemand.onlyOwnUser(partition, job.spec().resources()),
        partition.name(),
        lane.shape.need().jobsPerCore(),
        end,
        partition.priorityTier(),
        List.of());
  }

  /** Below 0 if it comes before another one whatever both score, 0 if that decides. */
  int tierOrder(PartitionQueueEntry other) {
    int order = Integer.compare(other.lane.key.rank(), lane.key.rank());
    if (order == 0) {
      order = Boolean.compare(lane.own == null, other.lane.own == null);
    }
    return order == 0
        ? Integer.compare(other.partition.priorityTier(), partition.priorityTier())
        : order;
  }

  @Override
  public int compareTo(PartitionQueueEntry other) {
    int order = tierOrder(other);
    if (order == 0) {
      order = Long.compare(score, other.score);
    }
    if (order == 0) {
      order = submit.compareTo(other.submit);
    }
    if (order == 0) {
      order = Integer.compare(baseId, other.baseId);
    }
    if (order == 0) {
      order = Integer.compare(task, other.task);
    }
    if (order == 0) {
      order = Integer.compare(item.job.id(), other.item.job.id());
    }
    if (order == 0 && lane.own != null && other.lane.own != null) {
      order = lane.own.start().compareTo(other.lane.own.start());
    }
    return order == 0 ? Integer.compare(number, other.number) : order;
  }

  /** Two are the same only if they are one. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return number;
  }
}
