package io.dure.core.controller.decide;

import io.dure.core.controller.Command;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Event;
import io.dure.core.controller.JobSelector;
import io.dure.core.controller.Reply;
import io.dure.core.model.Afterwards;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.ExitStatus;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.Outcome;
import io.dure.core.model.command.Caller;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Cancelling and signalling jobs. */
final class KillRules {
  private KillRules() {}

  static Reply kill(Draft draft, Command.KillJob command, Caller.User who) {
    Integer component = command.job().component();
    // Of a heterogeneous job the one that leads is the whole.
    JobSelector job =
        component != null && component == 0
            ? new JobSelector(command.job().jobId(), null)
            : command.job();
    Selection.Found found = Selection.find(draft, job, who);
    if (found.refusal() != null) {
      return draft.refuse(found.refusal());
    }
    ErrorCode problem = null;
    boolean something = false;
    for (Job one : found.jobs()) {
      ErrorCode refusal =
          command.signal() != null
              ? signal(draft, one, command, command.signal())
              : isPart(one, found)
                  ? ErrorCode.NOT_WHOLE_HET_JOB
                  : cancel(draft, asItIs(draft, one), command, who.identity().uid());
      something |= refusal == null;
      problem = refusal == null ? problem : refusal;
    }
    return problem == null || something ? draft.done() : draft.partly(problem);
  }

  /** Whether a component would be taken out of a heterogeneous job that has still to start. */
  private static boolean isPart(Job job, Selection.Found found) {
    return job.het() != null
        && found.jobs().size() < job.het().size()
        && job.state() instanceof JobState.Pending;
  }

  /** With the one that leads, the other components of a heterogeneous job have ended by now. */
  private static Job asItIs(Draft draft, Job job) {
    return Objects.requireNonNull(draft.state().job(job.id()));
  }

  private static @Nullable ErrorCode cancel(
      Draft draft, Job job, Command.KillJob command, int uid) {
    Outcome outcome = new Outcome.Cancelled(ExitStatus.OK, uid);
    return switch (job.state()) {
      case JobState.Pending pending -> {
        String reason = pending.reason() == null ? command.waitReason() : pending.reason();
        draft.emit(new Event.JobDropped(job.id(), outcome, draft.now(), reason));
        yield null;
      }
      case JobState.Running _, JobState.Suspended _ -> {
        Outcome known = job.follows() ? Endings.ofFollower(outcome) : outcome;
        Endings.end(draft, job, known, Afterwards.END, Effect.Why.CANCELLED);
        yield null;
      }
      case JobState.Completing completing -> {
        if (completing.afterwards() == Afterwards.END) {
          yield ErrorCode.ALREADY_DONE;
        }
        draft.emit(new Event.RequeueRevoked(job.id(), outcome));
        yield null;
      }
      case JobState.Ended _ -> ErrorCode.ALREADY_DONE;
    };
  }

  private static @Nullable ErrorCode signal(
      Draft draft, Job job, Command.KillJob command, int signal) {
    return switch (job.state()) {
      case JobState.Pending _ -> ErrorCode.JOB_PENDING;
      case JobState.Running running when running.configuring() -> ErrorCode.TRANSITION_STATE;
      case JobState.Running _ when job.follows() -> null;
      case JobState.Running running -> {
        Effect.Scope scope =
            command.batchOnly()
                ? Effect.Scope.BATCH_SHELL
                : command.full() ? Effect.Scope.ALL : Effect.Scope.STEPS;
        draft.effect(
            new Effect.Signal(
                running.allocation().batchHost(), job.id(), job.run(), signal, scope));
        yield null;
      }
      case JobState.Suspended _ -> ErrorCode.TRANSITION_STATE;
      case JobState.Completing _, JobState.Ended _ -> ErrorCode.ALREADY_DONE;
    };
  }

  static Reply notify(Draft draft, Command.NotifyJob command, Caller.User who) {
    Selection.Found found = Selection.find(draft, command.job(), who, ErrorCode.USER_ID_MISSING);
    if (found.refusal() != null) {
      return draft.refuse(found.refusal());
    }
    for (Job job : found.jobs()) {
      if (job.follows()) {
        continue;
      }
      if (!(job.state() instanceof JobState.Running running)) {
        return draft.partly(
            job.state() instanceof JobState.Pending
                ? ErrorCode.JOB_PENDING
                : ErrorCode.ALREADY_DONE);
      }
      if (running.configuring()) {
        return draft.partly(ErrorCode.TRANSITION_STATE);
      }
      draft.effect(
          new Effect.Notify(running.allocation().batchHost(), job.id(), job.run(), command.text()));
    }
    return draft.done();
  }
}
