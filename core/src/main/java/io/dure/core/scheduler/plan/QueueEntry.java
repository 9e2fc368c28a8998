package io.dure.core.scheduler.plan;

import io.dure.core.config.PartitionConfig;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Job;
import io.dure.core.scheduler.Times;
import io.dure.core.scheduler.Verdict;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A pending job record in one of its partitions. */
final class QueueEntry implements Comparable<QueueEntry> {
  final QueueItem item;
  final PartitionConfig partition;
  final Lane lane;

  /** Number of the pass that last said something of its own about it. */
  long spoken;

  @Nullable Verdict verdict;

  /** Whether a start was looked for last time and none was found within the window. */
  boolean vain;

  private final long score;
  private final Instant submit;
  private final int baseId;
  private final int task;

  private final int number;

  /** An entry; its number is different from that of any other. */
  QueueEntry(QueueItem item, PartitionConfig partition, Lane lane, long score, int number) {
    this.number = number;
    this.item = item;
    this.partition = partition;
    this.lane = lane;
    this.score = score;
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

  /** Whether it is an entry of this record. */
  boolean isOf(Job job) {
    return job.submitTime().equals(submit)
        && job.baseId() == baseId
        && !(job.array() instanceof ArrayPart.Waiting);
  }

  /** Whether it stands where an entry of this score would. */
  boolean stands(long nextScore) {
    return nextScore == score;
  }

  /** The same at another score; a start is looked for anew. Its number is that of no other. */
  QueueEntry at(long nextScore, int nextNumber) {
    QueueEntry next = new QueueEntry(item, partition, lane, nextScore, nextNumber);
    next.spoken = spoken;
    next.verdict = verdict;
    return next;
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
    long end = Times.after(start, seconds);
    Instant deadline = item.job.spec().deadline();
    return deadline == null ? end : Math.min(end, Times.second(deadline));
  }

  @Override
  public int compareTo(QueueEntry other) {
    int order = Integer.compare(other.lane.key.rank(), lane.key.rank());
    if (order == 0) {
      order = Boolean.compare(lane.own == null, other.lane.own == null);
    }
    if (order == 0) {
      order = Integer.compare(other.partition.priorityTier(), partition.priorityTier());
    }
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
    return order == 0 ? lane.compareTo(other.lane) : order;
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
