package io.dure.virtual;

import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.rules.queueorder.RunTimeEstimates;

/** When runs end by themselves in a virtual cluster. */
@FunctionalInterface
public interface RunTimeModel {
  /** Every job runs to its limit. */
  RunTimeModel LIMITS = (job, running) -> RunTimeEstimates.LIMITS.end(job, running);

  /**
   * When a run ends by itself, in seconds since 1970; {@link io.dure.rules.PlannerTime#NEVER} or
   * more for never. What is past is over at once. A limit that ends runs before ends it all the
   * same. Asked once for each run.
   */
  long end(Job job, JobState.Running running);

  /** Whether a run that ends then was successful; one that was not is taken to have timed out. */
  default boolean endsWell(Job job, JobState.Running running) {
    return true;
  }
}
