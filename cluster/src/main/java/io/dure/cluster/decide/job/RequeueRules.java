package io.dure.cluster.decide.job;

import io.dure.cluster.DecisionBuilder;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Putting jobs back into the queue on request. */
public final class RequeueRules {
  private RequeueRules() {}

  public static Reply requeue(
      DecisionBuilder draft, Command.RequeueJob command, Caller.User caller) {
    JobSelection.Found found = JobSelection.find(draft, command.job(), caller);
    if (found.refusal() != null) {
      return draft.refuse(found.refusal());
    }
    if (command.job().component() != null) {
      return draft.refuse(ErrorCode.INVALID_JOB_ID);
    }
    if (found.jobs().size() == 1 && found.jobs().getFirst().isHetFollower()) {
      return draft.refuse(ErrorCode.NOT_HET_JOB_LEADER);
    }
    ErrorCode problem = null;
    boolean some = false;
    List<Job> jobs =
        command.incomplete()
            ? found.jobs()
            : JobSelection.splitEnded(draft, found.jobs(), command.job().tasks());
    for (Job job : jobs) {
      // The components of a heterogeneous job go back with the one that leads.
      ErrorCode one = job.isHetFollower() ? null : requeue(draft, job, command, caller);
      some |= one == null && !job.isHetFollower();
      problem = one == null ? problem : one;
    }
    return problem == null || (some && jobs.size() > 1) ? draft.done() : draft.partly(problem);
  }

  private static @Nullable ErrorCode requeue(
      DecisionBuilder draft, Job job, Command.RequeueJob command, Caller.User caller) {
    if (!RunEndRules.mayRequeue(draft.state().settings(), job)) {
      return ErrorCode.DISABLED;
    }
    return switch (job.state()) {
      case JobState.Pending _ -> ErrorCode.JOB_PENDING;
      case JobState.Completing _ -> ErrorCode.TRANSITION_STATE;
      case JobState.Ended _ when command.incomplete() -> ErrorCode.ALREADY_DONE;
      case JobState.Ended _ -> {
        RunEndRules.requeue(
            draft,
            job,
            command.specialExit() ? Hold.SPECIAL_EXIT : command.hold() ? Hold.USER : Hold.NONE);
        yield null;
      }
      case JobState.Running _, JobState.Suspended _ -> {
        RunEndRules.end(
            draft,
            job,
            new JobOutcome.Cancelled(ExitStatus.OK, caller.identity().uid()),
            command.specialExit()
                ? PostRunAction.SPECIAL_EXIT
                : command.hold() ? PostRunAction.REQUEUE_HOLD : PostRunAction.REQUEUE,
            Effect.TerminationReason.REQUEUED);
        yield null;
      }
    };
  }
}
