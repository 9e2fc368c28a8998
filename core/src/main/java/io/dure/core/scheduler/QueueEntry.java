package io.dure.core.scheduler;

import io.dure.core.config.PartitionConfig;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Job;
import java.util.Comparator;

/** A pending job record in one of its partitions. */
record QueueEntry(Job job, PartitionConfig partition) {
  static final Comparator<QueueEntry> ORDER =
      Comparator.<QueueEntry>comparingInt(e -> -e.partition.priorityTier())
          .thenComparing((a, b) -> Long.compare(b.job.priority(), a.job.priority()))
          .thenComparing((a, b) -> a.job.submitTime().compareTo(b.job.submitTime()))
          .thenComparingInt(e -> e.job.baseId())
          .thenComparingInt(QueueEntry::task);

  private int task() {
    return switch (job.array()) {
      case null -> -1;
      case ArrayPart.Task task -> task.index();
      case ArrayPart.Waiting waiting -> waiting.waiting().first();
    };
  }
}
