package io.dure.virtual;

import io.dure.model.Job;
import io.dure.model.JobState;
import io.dure.rules.queueorder.RunTimeEstimates;

/** When runs really end, in a future that is imagined. */
@FunctionalInterface
public interface RunTimeModel {
  /** Every job runs to its limit. */
  RunTimeModel LIMITS = (job, running) -> RunTimeEstimates.LIMITS.end(job, running);

  /**
   * When a run ends, in seconds since 1970; {@link io.dure.rules.PlannerTime#NEVER} or more for
   * never. What is past is over at once. A limit that ends runs ends it all the same. Asked once
   * for each run.
   */
  long end(Job job, JobState.Running running);
}
