package io.dure.core.controller.decide;

import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Reply;
import io.dure.core.model.Afterwards;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.ExitStatus;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.Outcome;
import io.dure.core.model.command.Caller;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Putting jobs back into the queue at somebody's wish. */
final class RequeueRules {
  private RequeueRules() {}

  static Reply requeue(Draft draft, Command.RequeueJob command, Caller.User who) {
    Selection.Found found = Selection.find(draft, command.job(), who);
    if (found.refusal() != null) {
      return draft.refuse(found.refusal());
    }
    if (command.job().component() != null) {
      return draft.refuse(ErrorCode.INVALID_JOB_ID);
    }
    if (found.jobs().size() == 1 && found.jobs().getFirst().follows()) {
      return draft.refuse(ErrorCode.NOT_HET_JOB_LEADER);
    }
    ErrorCode problem = null;
    boolean some = false;
    List<Job> jobs =
        command.incomplete()
            ? found.jobs()
            : Selection.splitEnded(draft, found.jobs(), command.job().tasks());
    for (Job job : jobs) {
      // The components of a heterogeneous job go back with the one that leads.
      ErrorCode one = job.follows() ? null : requeue(draft, job, command, who);
      some |= one == null && !job.follows();
      problem = one == null ? problem : one;
    }
    return problem == null || (some && jobs.size() > 1) ? draft.done() : draft.partly(problem);
  }

  private static @Nullable ErrorCode requeue(
      Draft draft, Job job, Command.RequeueJob command, Caller.User who) {
    if (!Endings.mayRequeue(draft.state().settings(), job)) {
      return ErrorCode.DISABLED;
    }
    return switch (job.state()) {
      case JobState.Pending _ -> ErrorCode.JOB_PENDING;
      case JobState.Completing _ -> ErrorCode.TRANSITION_STATE;
      case JobState.Ended _ when command.incomplete() -> ErrorCode.ALREADY_DONE;
      case JobState.Ended _ -> {
        Endings.requeue(
            draft,
            job,
            command.specialExit() ? Hold.SPECIAL_EXIT : command.hold() ? Hold.USER : Hold.NONE);
        yield null;
      }
      case JobState.Running _, JobState.Suspended _ -> {
        Endings.end(
            draft,
            job,
            new Outcome.Cancelled(ExitStatus.OK, who.identity().uid()),
            command.specialExit()
                ? Afterwards.SPECIAL_EXIT
                : command.hold() ? Afterwards.REQUEUE_HOLD : Afterwards.REQUEUE,
            Effect.Why.REQUEUED);
        yield null;
      }
    };
  }
}
