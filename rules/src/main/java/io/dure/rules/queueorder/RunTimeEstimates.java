package io.dure.rules.queueorder;

import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.request.TimeLimit;
import io.dure.rules.PartitionRules;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import java.time.Instant;

/** How long jobs are planned for. A function of its arguments; any thread may ask. */
public interface RunTimeEstimates {
  /** Every job is planned for its time limit. */
  RunTimeEstimates LIMITS = new LimitEstimates();

  /** The same with what is known in a view. */
  default RunTimeEstimates forView(SchedulerView view) {
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
  final class LimitEstimates implements RunTimeEstimates {
    private LimitEstimates() {}

    @Override
    public long seconds(Job job, PartitionConfig partition) {
      return job.spec().timeLimit() instanceof TimeLimit.Limited(var limit)
          ? PlannerTime.seconds(limit)
          : PlannerTime.seconds(PartitionRules.runTime(partition, job.spec()));
    }

    @Override
    public long end(Job job, JobState.Running running) {
      Instant end = running.latestEnd();
      return PlannerTime.second(end);
    }
  }
}
