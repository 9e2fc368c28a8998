package io.dure.core.rollout;

import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.scheduler.Estimates;

/** When runs really end, in a future that is imagined. */
@FunctionalInterface
public interface Lifetimes {
  /** Every job runs to its limit. */
  Lifetimes LIMITS = (job, running) -> Estimates.LIMITS.end(job, running);

  /**
   * When a run ends, in seconds since 1970; {@link io.dure.core.scheduler.Times#NEVER} or more for
   * never. What is past is over at once. A limit that ends runs ends it all the same. Asked once
   * for each run.
   */
  long end(Job job, JobState.Running running);
}
