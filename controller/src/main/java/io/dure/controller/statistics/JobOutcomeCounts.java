package io.dure.controller.statistics;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.PostRunAction;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of jobs since a moment. Slurm counts neither a job that ran into its limit nor one
 * that goes back into the queue, and of the waiting tasks of an array that are cancelled together
 * only one.
 *
 * @param completed ended by themselves, whatever their exit status
 * @param failed lost with a node, or not to be started there
 */
record JobOutcomeCounts(
    Instant since, long submitted, long started, long completed, long canceled, long failed) {

  static JobOutcomeCounts none(Instant since) {
    return new JobOutcomeCounts(since, 0, 0, 0, 0, 0);
  }

  /** The same if they are of that time, else none yet. */
  JobOutcomeCounts in(Instant period) {
    return since.equals(period) ? this : none(period);
  }

  /** With what happened. */
  JobOutcomeCounts and(List<Event> events, ClusterState after) {
    long submissions = submitted;
    long starts = started;
    long completions = completed;
    long cancellations = canceled;
    long failures = failed;
    for (Event event : events) {
      if (event instanceof Event.JobSubmitted e) {
        submissions += tasks(after.job(e.jobId()));
      } else if (event instanceof Event.JobStarted) {
        starts++;
      } else {
        switch (end(event)) {
          case COMPLETED -> completions++;
          case CANCELED -> cancellations++;
          case FAILED -> failures++;
          case NONE -> {}
        }
      }
    }
    return new JobOutcomeCounts(since, submissions, starts, completions, cancellations, failures);
  }

  private static long tasks(@Nullable Job job) {
    return job == null || job.array() == null ? 1 : job.array().shape().count();
  }

  private enum End {
    COMPLETED,
    CANCELED,
    FAILED,
    NONE
  }

  private static End end(Event event) {
    if (event instanceof Event.JobEnding e) {
      boolean over = e.afterwards() == PostRunAction.END || e.afterwards() == PostRunAction.RECUR;
      return over ? end(e.outcome()) : End.NONE;
    }
    if (event instanceof Event.JobDropped e) {
      return end(e.outcome());
    }
    return event instanceof Event.RequeueRevoked e ? end(e.outcome()) : End.NONE;
  }

  private static End end(JobOutcome outcome) {
    return switch (outcome) {
      case JobOutcome.Completed _, JobOutcome.Failed _, JobOutcome.OutOfMemory _ -> End.COMPLETED;
      case JobOutcome.Cancelled _ -> End.CANCELED;
      case JobOutcome.NodeFailed _, JobOutcome.LaunchFailed _ -> End.FAILED;
      case JobOutcome.TimedOut _, JobOutcome.DeadlineMissed _, JobOutcome.Preempted _ -> End.NONE;
    };
  }
}
