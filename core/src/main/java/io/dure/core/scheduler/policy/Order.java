package io.dure.core.scheduler.policy;

import io.dure.core.config.PartitionConfig;
import io.dure.core.config.policy.PolicySettings;
import io.dure.core.model.Job;
import io.dure.core.scheduler.SchedulerView;
import io.dure.core.scheduler.Times;
import java.time.Duration;
import java.time.Instant;

/** In which order the jobs of a tier are considered. */
public interface Order {
  /** Higher priority first, as it stands in the job. */
  Order PRIORITY =
      new Order() {
        @Override
        public Scores at(SchedulerView view, Instant now) {
          return (job, _) -> -job.priority();
        }

        @Override
        public long period() {
          return Times.NEVER;
        }
      };

  /**
   * The order of Slurm's priority/multifactor.
   *
   * @param period after which priorities are worked out again
   */
  static Order multifactor(Duration period) {
    return new MultifactorOrder(period);
  }

  /** Dure's own order, by these numbers. */
  static Order bySize(PolicySettings settings) {
    return new SizeOrder(settings);
  }

  /** The scores as they are at a time. */
  Scores at(SchedulerView view, Instant now);

  /** After how many seconds scores of waiting jobs are worked out again. */
  long period();

  /** What jobs score. A function of its arguments. */
  @FunctionalInterface
  interface Scores {
    /** A job's score: lower is considered first; who came first where scores are equal. */
    long of(Job job, PartitionConfig partition);

    /** Whether it has waited so long that it is promised a start wherever it stands. */
    default boolean hasWaited(Job job) {
      return false;
    }
  }
}
