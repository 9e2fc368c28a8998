package io.dure.virtual;

import io.dure.model.job.Job;
import java.time.Instant;

/** What is done to the jobs of a virtual cluster from outside. One thread. */
public interface SchedulingHooks {
  /** Nothing. */
  SchedulingHooks NONE = new SchedulingHooks() {};

  /** The scheduler is about to be asked: jobs may be updated before. */
  default void beforePass(PendingQueue queue, Instant now) {}

  /** A job returns to the queue: the job as it waits there. */
  default Job returning(Job job, Instant at) {
    return job;
  }
}
