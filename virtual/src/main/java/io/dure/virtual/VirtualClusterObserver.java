package io.dure.virtual;

import io.dure.model.command.Placement;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Is told what happens to the jobs of a virtual cluster. One thread. */
public interface VirtualClusterObserver {
  /** Listens to nothing. */
  VirtualClusterObserver NONE = new VirtualClusterObserver() {};

  /**
   * A run that is over.
   *
   * @param job as it ran
   * @param run its run
   * @param at when it ended
   * @param outcome how
   * @param requeued whether the job returns to the queue
   */
  record Ended(Job job, JobState.Running run, Instant at, JobOutcome outcome, boolean requeued) {}

  /**
   * A record is another one now: null before for a job that comes, null after for one that goes.
   */
  default void changed(@Nullable Job before, @Nullable Job after) {}

  /**
   * Starts were reserved for jobs that have waited beyond their bounds, or moved to earlier times.
   *
   * @param starts seconds since 1970, by job id
   */
  default void reserved(Map<Integer, Long> starts, Instant at) {}

  /** A job runs from now on. */
  default void started(Job running, Placement placement, Instant at) {}

  /** A job was chosen to make room: it is suspended, ends, or was told to end. */
  default void preempted(Job victim) {}

  /** A job is suspended from now on. */
  default void suspended(Job job, Instant at) {}

  /**
   * A job runs again.
   *
   * @param stood as it was suspended
   */
  default void resumed(Job job, JobState.Suspended stood, Instant at) {}

  /** A run is over. */
  default void ended(Ended run) {}

  /** A job leaves the queue without having run. */
  default void dropped(Job job, JobOutcome outcome, Instant at) {}
}
