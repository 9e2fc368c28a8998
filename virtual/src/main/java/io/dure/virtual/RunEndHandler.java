package io.dure.virtual;

import io.dure.model.ExitStatus;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.rules.preemption.PreemptionActions;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What becomes of runs that are over. */
final class RunEndHandler {
  private RunEndHandler() {}

  /**
   * What a job does whose grace is over, or that was being cleaned up; null for an end by itself.
   *
   * @param own whether the run ended by itself
   */
  static @Nullable PostRunAction afterwards(Job job, Instant at, boolean own) {
    return switch (job.state()) {
      case JobState.Running running -> own ? null : PreemptionActions.afterGrace(running, at);
      case JobState.Completing over -> over.afterwards();
      case JobState.Suspended _, JobState.Pending _, JobState.Ended _ -> null;
    };
  }

  /**
   * How a run ended that ended then.
   *
   * @param afterwards what becomes of one that made room, null for an end by itself
   * @param own whether the run ended by itself
   */
  static JobOutcome of(Job job, @Nullable PostRunAction afterwards, Instant at, boolean own) {
    if (job.state() instanceof JobState.Completing over) {
      return over.outcome();
    }
    if (afterwards != null) {
      return new JobOutcome.Preempted(ExitStatus.OK);
    }
    Instant deadline = job.spec().deadline();
    if (deadline != null && !at.isBefore(deadline)) {
      return new JobOutcome.DeadlineMissed(ExitStatus.OK);
    }
    return own ? new JobOutcome.Completed(ExitStatus.OK) : new JobOutcome.TimedOut(ExitStatus.OK);
  }

  /**
   * What holds a job that returns to the queue.
   *
   * @param outcome of its run
   * @param most how often it may do so by itself
   */
  static Hold hold(Job job, JobOutcome outcome, int most) {
    if (job.state() instanceof JobState.Completing over) {
      return over.holdAfter(job.restarts(), most);
    }
    JobState.Running run = job.state().runningOrSuspended();
    return run != null && run.hold() != Hold.NONE
        ? run.hold()
        : outcome.holdAfter(job.restarts(), most);
  }
}
