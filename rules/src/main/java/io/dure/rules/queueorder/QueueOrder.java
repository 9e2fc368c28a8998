package io.dure.rules.queueorder;

import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import java.time.Instant;

/** In which order the jobs of a tier are considered. */
public interface QueueOrder {
  /** Higher priority first, as it stands in the job. */
  QueueOrder PRIORITY =
      new QueueOrder() {
        @Override
        public Scores scoresAt(SchedulerView view, Instant now) {
          return (job, _) -> -job.priority();
        }

        @Override
        public long period() {
          return PlannerTime.NEVER;
        }
      };

  /** The scores as they are at a time. */
  Scores scoresAt(SchedulerView view, Instant now);

  /** After how many seconds scores of waiting jobs are worked out again. */
  long period();

  /** What jobs score. A function of its arguments. */
  @FunctionalInterface
  interface Scores {
    /** A job's score: lower is considered first; the earlier job where scores are equal. */
    long of(Job job, PartitionConfig partition);

    /** Whether it comes in the order of submission; the first of those is promised a start too. */
    default boolean isInTurn(Job job, PartitionConfig partition) {
      return false;
    }

    /** Whether it has waited so long that what it is promised may not be delayed any more. */
    default boolean isOverdue(Job job) {
      return false;
    }

    /** Whether all jobs are planned by their limits, since more work waits than can be bounded. */
    default boolean isOverloaded() {
      return false;
    }

    /** The first second since 1970 at which a start is reserved for an overdue job. */
    default long earliestReserved(Job job) {
      return 0;
    }
  }
}
