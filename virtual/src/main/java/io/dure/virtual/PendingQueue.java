package io.dure.virtual;

import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import java.time.Instant;

/** The jobs of a virtual cluster that wait, and what may be done to them. */
public interface PendingQueue {
  /** The cluster now. */
  VirtualClusterView view();

  /** A waiting job is this one now. */
  void update(Job job);

  /** A job leaves the queue, with all that would have started with it. */
  void drop(Job job, JobOutcome outcome, Instant now);
}
