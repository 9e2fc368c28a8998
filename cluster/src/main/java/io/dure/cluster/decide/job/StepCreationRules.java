package io.dure.cluster.decide.job;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.RunReconciliation;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.model.privacy.CallerSight;
import io.dure.model.request.Workload;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.RunSteps;
import io.dure.model.step.StepName;
import io.dure.model.step.StepSpec;
import io.dure.placement.step.StepPlacer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Steps of jobs that run. A step that does not fit is refused; to ask again is the caller's. */
public final class StepCreationRules {
  private StepCreationRules() {}

  /** A user begins a step. */
  public static Reply create(
      DecisionBuilder draft, Command.CreateStep command, Caller.User caller) {
    Job job = draft.state().job(command.jobId());
    ErrorCode refusal = refusal(draft, job, caller);
    if (job == null || refusal != null) {
      return draft.refuse(refusal == null ? ErrorCode.INVALID_JOB_ID : refusal);
    }
    boolean counts = command.spec().sharing() != StepSpec.Sharing.INTERACTIVE;
    if (counts && job.runSteps().next() >= draft.state().settings().steps().mostSteps()) {
      return draft.refuse(ErrorCode.STEP_LIMIT);
    }
    return switch (begin(draft, job, command.spec())) {
      case null -> new Reply.StepCreated(job.id(), number(job.runSteps(), command.spec()));
      case Reply.Refused refused -> draft.refuse(refused.code(), refused.detail());
    };
  }

  private static @Nullable ErrorCode refusal(
      DecisionBuilder draft, @Nullable Job job, Caller.User caller) {
    CallerSight sight = CallerSight.of(draft.state().accounts(), draft.state().settings(), caller);
    ErrorCode refusal = sight.ownersRefusal(job, ErrorCode.ACCESS_DENIED);
    if (job == null || refusal != null) {
      return refusal;
    }
    return switch (job.state()) {
      case JobState.Pending _ -> ErrorCode.JOB_PENDING;
      case JobState.Running running ->
          running.configuring() || RunReconciliation.waitsForProlog(draft.state(), job)
              ? ErrorCode.JOB_PENDING
              : null;
      case JobState.Suspended _ -> ErrorCode.JOB_SUSPENDED;
      case JobState.Completing _, JobState.Ended _ -> ErrorCode.ALREADY_DONE;
    };
  }

  private static int number(RunSteps steps, StepSpec spec) {
    return spec.sharing() == StepSpec.Sharing.INTERACTIVE
        ? StepName.InteractiveStep.NUMBER
        : steps.next();
  }

  /** Creates a step of a job that runs; why not, null if it stands. */
  private static Reply.@Nullable Refused begin(DecisionBuilder draft, Job job, StepSpec spec) {
    RunSteps steps = job.runSteps();
    if (steps.shell() && spec.sharing() == StepSpec.Sharing.INTERACTIVE) {
      return new Reply.Refused(ErrorCode.BAD_INPUT, "the job has had its interactive step");
    }
    StepSpec placed = spec.placed(draft.state().settings().scheduling().packsNodes());
    return switch (StepPlacer.place(RunEndRules.allocation(job), steps, placed)) {
      case StepPlacer.Answer.Refused(ErrorCode code, String detail) ->
          new Reply.Refused(code, detail);
      case StepPlacer.Answer.Busy _ -> new Reply.Refused(ErrorCode.NODES_BUSY, "");
      case StepPlacer.Answer.Placed(var shares) -> {
        Instant end =
            spec.timeLimitMinutes() == 0
                ? null
                : draft.now().plusSeconds(60L * spec.timeLimitMinutes());
        draft.emit(
            new Event.StepCreated(
                job.id(),
                job.run(),
                LaunchedStep.begun(number(steps, spec), spec, shares, draft.now(), end)));
        yield null;
      }
    };
  }

  /** What begins at once in an allocation that has just got its resources. */
  public static void allocated(DecisionBuilder draft, int jobId) {
    Job job = draft.state().active().require(jobId);
    if (!(job.workload() instanceof Workload.InteractiveAllocation interactive)) {
      return;
    }
    draft.emit(new Event.JobLaunched(job.id(), job.run()));
    StepSpec first = interactive.step();
    if (first != null && begin(draft, draft.state().active().require(jobId), first) != null) {
      RunEndRules.end(
          draft,
          draft.state().active().require(jobId),
          new JobOutcome.Failed(RunEndRules.NODE_FAILED),
          PostRunAction.END,
          Effect.TerminationReason.ENDED);
    }
  }

  /** The user of an allocation has done what it was for. */
  public static Reply complete(
      DecisionBuilder draft, Command.CompleteAllocation command, Caller.User caller) {
    Job job = draft.state().job(command.jobId());
    CallerSight sight = CallerSight.of(draft.state().accounts(), draft.state().settings(), caller);
    ErrorCode refusal = sight.ownersRefusal(job, ErrorCode.ACCESS_DENIED);
    if (job == null || refusal != null) {
      return draft.refuse(refusal == null ? ErrorCode.INVALID_JOB_ID : refusal);
    }
    if (!(job.workload() instanceof Workload.InteractiveAllocation)) {
      return draft.refuse(ErrorCode.NOT_SUPPORTED, "a batch job ends with its script");
    }
    if (job.state().runningOrSuspended() == null) {
      return draft.refuse(
          job.state() instanceof JobState.Pending ? ErrorCode.JOB_PENDING : ErrorCode.ALREADY_DONE);
    }
    finish(draft, job, command.exit(), false);
    return draft.done();
  }

  /** Ends a job that its user has given up, or that was to end with a step. */
  public static void finish(DecisionBuilder draft, Job job, ExitStatus exit, boolean outOfMemory) {
    JobState.Running running = job.state().runningOrSuspended();
    if (running == null) {
      return;
    }
    JobOutcome outcome =
        outOfMemory
            ? new JobOutcome.OutOfMemory(exit)
            : !exit.equals(ExitStatus.OK)
                ? new JobOutcome.Failed(exit)
                : RunEndRules.overLimit(draft, job, running)
                    ? new JobOutcome.TimedOut(exit)
                    : new JobOutcome.Completed(exit);
    RunEndRules.end(draft, job, outcome, PostRunAction.END, Effect.TerminationReason.ENDED);
  }
}
