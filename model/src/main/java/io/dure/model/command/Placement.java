package io.dure.model.command;

import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.request.TimeLimit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A start that the scheduler proposes.
 *
 * @param jobId the record to start
 * @param taskIndex the array task to start where the record stands for waiting tasks, else null
 * @param allocation what it gets
 * @param overtakes whether it starts ahead of a job that waits for the same nodes
 * @param limit the time limit that it gets for it, null for its own
 */
public record Placement(
    int jobId,
    @Nullable Integer taskIndex,
    Allocation allocation,
    boolean overtakes,
    @Nullable Duration limit) {
  /** A start in the order of the queue. */
  public Placement(int jobId, @Nullable Integer taskIndex, Allocation allocation) {
    this(jobId, taskIndex, allocation, false, null);
  }

  /** The job as it would run. */
  public Job asRun(Job job) {
    return limit == null
        ? job
        : job.withSpec(job.spec().withTimeLimit(new TimeLimit.Limited(limit)), job.priority());
  }
}
