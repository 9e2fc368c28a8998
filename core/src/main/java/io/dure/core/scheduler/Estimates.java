package io.dure.core.scheduler;

import io.dure.core.config.PartitionConfig;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.TimeLimit;
import java.time.Instant;

/** How long jobs are planned for. A function of its arguments; any thread may ask. */
public interface Estimates {
  /** Every job is planned for its time limit. */
  Estimates LIMITS = new Limits();

  /** The same with what is known in a view. */
  default Estimates at(SchedulerView view) {
    return this;
  }

  /** Seconds that a pending job is planned for in a partition, at least 0. */
  long seconds(Job job, PartitionConfig partition);

  /**
   * When a running job is planned to end, in seconds since 1970. It may have passed: such a job is
   * taken to end at any moment.
   */
  long end(Job job, JobState.Running running);

  /** The limits. */
  final class Limits implements Estimates {
    private Limits() {}

    @Override
    public long seconds(Job job, PartitionConfig partition) {
      return job.spec().timeLimit() instanceof TimeLimit.Limited(var limit)
          ? Times.seconds(limit)
          : Times.seconds(PartitionRules.runTime(partition, job.spec()));
    }

    @Override
    public long end(Job job, JobState.Running running) {
      Instant end = running.latestEnd();
      return Times.second(end);
    }
  }
}
