package io.dure.core.rollout;

import io.dure.core.model.Afterwards;
import io.dure.core.model.ExitStatus;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.Outcome;
import io.dure.core.scheduler.preempt.MakingRoom;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What becomes of runs that are over. */
final class Over {
  private Over() {}

  /**
   * What a job does whose grace is over, or that was being cleaned up; null for an end by itself.
   */
  static @Nullable Afterwards afterwards(Job job, Instant at) {
    return switch (job.state()) {
      case JobState.Running running -> MakingRoom.afterGrace(running, at);
      case JobState.Completing over -> over.afterwards();
      case JobState.Suspended _, JobState.Pending _, JobState.Ended _ -> null;
    };
  }

  /**
   * How a run ended that ended then.
   *
   * @param afterwards what becomes of one that made room, null for an end by itself
   */
  static Outcome outcome(Job job, @Nullable Afterwards afterwards, Instant at) {
    if (job.state() instanceof JobState.Completing over) {
      return over.outcome();
    }
    if (afterwards != null) {
      return new Outcome.Preempted(ExitStatus.OK);
    }
    Instant deadline = job.spec().deadline();
    return deadline == null || at.isBefore(deadline)
        ? new Outcome.Completed(ExitStatus.OK)
        : new Outcome.DeadlineMissed(ExitStatus.OK);
  }

  /**
   * What holds a job that returns to the queue.
   *
   * @param most how often it may do so by itself
   */
  static Hold hold(Job job, int most) {
    return switch (job.state()) {
      case JobState.Completing over -> over.holdAfter(job.restarts(), most);
      case JobState.Running running -> running.hold();
      case JobState.Suspended suspended -> suspended.run().hold();
      case JobState.Pending _, JobState.Ended _ -> Hold.NONE;
    };
  }
}
