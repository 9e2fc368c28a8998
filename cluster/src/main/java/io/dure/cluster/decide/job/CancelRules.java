package io.dure.cluster.decide.job;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.JobSelector;
import io.dure.model.command.KillFilter;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Cancelling and signalling jobs. */
public final class CancelRules {
  private CancelRules() {}

  public static Reply kill(DecisionBuilder draft, Command.KillJob command, Caller.User caller) {
    ErrorCode problem = attempt(draft, command, caller).problem();
    return problem == null ? draft.done() : draft.partly(problem);
  }

  /**
   * What came of one selector.
   *
   * @param records job records that it named
   * @param problem why none of them was killed, null if one was
   */
  record Attempt(int records, @Nullable ErrorCode problem) {}

  /** Kills what is named. */
  static Attempt attempt(DecisionBuilder draft, Command.KillJob command, Caller.User caller) {
    Integer component = command.job().component();
    // Of a heterogeneous job the one that leads is the whole.
    JobSelector job =
        component != null && component == 0
            ? new JobSelector(command.job().jobId(), null)
            : command.job();
    JobSelection.Found found = JobSelection.find(draft, job, caller);
    if (found.refusal() != null) {
      return new Attempt(found.jobs().size(), found.refusal());
    }
    ErrorCode problem = null;
    boolean something = false;
    for (Job one : found.jobs()) {
      ErrorCode refusal =
          command.signal() == null && isPart(one, found)
              ? ErrorCode.NOT_WHOLE_HET_JOB
              : killRecord(draft, one, command, caller);
      something |= refusal == null;
      problem = refusal == null ? problem : refusal;
    }
    return new Attempt(found.jobs().size(), something ? null : problem);
  }

  /** Kills one record that the caller may change; why not, null if it was. */
  static @Nullable ErrorCode killRecord(
      DecisionBuilder draft, Job job, Command.KillJob command, Caller.User caller) {
    if (command.signal() != null) {
      return signal(draft, job, command, command.signal());
    }
    if (CrontabRules.isUnconfirmed(draft, job, command)) {
      return ErrorCode.CANNOT_CANCEL_CRON_JOB;
    }
    if (KillFilter.isAlive(job)) {
      CrontabRules.disable(draft, job);
    }
    return cancel(draft, asItIs(draft, job), command, caller.identity().uid());
  }

  /** Whether a component would be taken out of a heterogeneous job that has still to start. */
  private static boolean isPart(Job job, JobSelection.Found found) {
    return job.het() != null
        && found.jobs().size() < job.het().size()
        && job.state() instanceof JobState.Pending;
  }

  /** With the one that leads, the other components of a heterogeneous job have ended by now. */
  private static Job asItIs(DecisionBuilder draft, Job job) {
    return Objects.requireNonNull(draft.state().job(job.id()));
  }

  private static @Nullable ErrorCode cancel(
      DecisionBuilder draft, Job job, Command.KillJob command, int uid) {
    JobOutcome outcome = new JobOutcome.Cancelled(ExitStatus.OK, uid);
    return switch (job.state()) {
      case JobState.Pending pending -> {
        String reason = pending.reason() == null ? command.waitReason() : pending.reason();
        draft.emit(new Event.JobDropped(job.id(), outcome, draft.now(), reason));
        yield null;
      }
      case JobState.Running _, JobState.Suspended _ -> {
        JobOutcome known = job.isHetFollower() ? RunEndRules.ofFollower(outcome) : outcome;
        RunEndRules.end(draft, job, known, PostRunAction.END, Effect.TerminationReason.CANCELLED);
        yield null;
      }
      case JobState.Completing completing -> {
        if (completing.afterwards() == PostRunAction.END) {
          yield ErrorCode.ALREADY_DONE;
        }
        // A run of a crontab's job is over as it ended; what is cancelled is the next one.
        boolean over = completing.afterwards() == PostRunAction.RECUR;
        draft.emit(new Event.RequeueRevoked(job.id(), over ? completing.outcome() : outcome));
        yield null;
      }
      case JobState.Ended _ -> ErrorCode.ALREADY_DONE;
    };
  }

  private static @Nullable ErrorCode signal(
      DecisionBuilder draft, Job job, Command.KillJob command, int signal) {
    return switch (job.state()) {
      case JobState.Pending _ -> ErrorCode.JOB_PENDING;
      case JobState.Running running when running.configuring() -> ErrorCode.TRANSITION_STATE;
      case JobState.Running running -> {
        Effect.Scope scope =
            command.batchOnly()
                ? Effect.Scope.BATCH_SHELL
                : command.full() ? Effect.Scope.ALL : Effect.Scope.STEPS;
        JobSignals.send(draft, job, running, signal, scope);
        yield null;
      }
      case JobState.Suspended _ -> ErrorCode.TRANSITION_STATE;
      case JobState.Completing _, JobState.Ended _ -> ErrorCode.ALREADY_DONE;
    };
  }

  public static Reply notify(DecisionBuilder draft, Command.NotifyJob command, Caller.User caller) {
    JobSelection.Found found =
        JobSelection.find(draft, command.job(), caller, ErrorCode.USER_ID_MISSING);
    if (found.refusal() != null) {
      return draft.refuse(found.refusal());
    }
    for (Job job : found.jobs()) {
      if (job.isHetFollower()) {
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
      if (!job.runsScript()) {
        // There is no output of a script that it could be written to.
        return draft.partly(ErrorCode.DISABLED);
      }
      draft.effect(
          new Effect.Notify(running.allocation().batchHost(), job.id(), job.run(), command.text()));
    }
    return draft.done();
  }
}
