package io.dure.cluster.decide.job;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.model.ErrorCode;
import io.dure.model.ExitStatus;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.Reply;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.privacy.CallerSight;
import io.dure.model.request.Workload;
import io.dure.model.step.LaunchedStep;
import java.time.Instant;
import java.util.List;

/** Ending and signalling single steps, and what the end of one means for its job. */
public final class StepKillRules {
  private static final int MOST_SIGNAL = 64;

  /** Exit status of a job that wanted more memory than it had, as Slurm reports it. */
  public static final ExitStatus OUT_OF_MEMORY = new ExitStatus(0, 125);

  private StepKillRules() {}

  /** A user ends a step, or signals it. */
  public static Reply kill(DecisionBuilder draft, Command.KillStep command, Caller.User caller) {
    Job job = draft.state().job(command.jobId());
    CallerSight sight = CallerSight.of(draft.state().accounts(), draft.state().settings(), caller);
    ErrorCode refusal = sight.refusal(job, ErrorCode.ACCESS_DENIED);
    if (job == null || refusal != null) {
      return draft.refuse(refusal == null ? ErrorCode.INVALID_JOB_ID : refusal);
    }
    LaunchedStep step = job.runSteps().step(command.step());
    if (step == null) {
      return draft.refuse(
          command.step() < job.runSteps().next()
              ? ErrorCode.ALREADY_DONE
              : ErrorCode.INVALID_JOB_ID);
    }
    Integer signal = command.signal();
    if (signal != null && (signal < 1 || signal > MOST_SIGNAL)) {
      return draft.refuse(ErrorCode.BAD_INPUT, "signal " + signal);
    }
    if (signal == null) {
      cancel(draft, job, step);
    } else {
      for (String node : step.nodesLeft()) {
        draft.effect(new Effect.SignalStep(node, job.id(), job.run(), step.number(), signal));
      }
    }
    return draft.done();
  }

  /** Has a step killed on all nodes where it has not ended. */
  public static void cancel(DecisionBuilder draft, Job job, LaunchedStep step) {
    if (!step.cancelled()) {
      draft.emit(new Event.StepCancelled(job.id(), job.run(), step.number()));
    }
    terminate(draft, job, step, Effect.TerminationReason.CANCELLED);
  }

  /** A user gives steps another limit. */
  public static Reply update(
      DecisionBuilder draft, Command.UpdateStep command, Caller.User caller) {
    Job job = draft.state().job(command.jobId());
    CallerSight sight = CallerSight.of(draft.state().accounts(), draft.state().settings(), caller);
    ErrorCode refusal = sight.refusal(job, ErrorCode.ACCESS_DENIED);
    if (job == null || refusal != null) {
      return draft.refuse(refusal == null ? ErrorCode.INVALID_JOB_ID : refusal);
    }
    Integer number = command.step();
    List<LaunchedStep> meant =
        job.runSteps().live().stream()
            .filter(step -> number == null || step.number() == number)
            .toList();
    Integer minutes = command.minutes();
    if (meant.isEmpty()) {
      return draft.refuse(ErrorCode.INVALID_JOB_ID);
    }
    if (minutes == null && command.relative()) {
      return draft.refuse(ErrorCode.INVALID_TIME_LIMIT);
    }
    for (LaunchedStep step : meant) {
      Instant from = command.relative() ? step.end() : step.start();
      Instant end = minutes == null || from == null ? null : from.plusSeconds(60L * minutes);
      draft.emit(new Event.StepLimitChanged(job.id(), job.run(), step.number(), end));
    }
    return draft.done();
  }

  /**
   * Ends the steps of a job that were cancelled, or are past their limits; told again until they
   * have ended, for a node may not have heard of it. The limits of a suspended job wait until it is
   * resumed, what a user has cancelled does not.
   */
  public static void tick(DecisionBuilder draft, Job job) {
    boolean runs = job.state() instanceof JobState.Running;
    for (LaunchedStep step : job.runSteps().live()) {
      Instant end = step.end();
      if (step.cancelled()) {
        terminate(draft, job, step, Effect.TerminationReason.CANCELLED);
      } else if (runs && end != null && !draft.now().isBefore(end)) {
        terminate(draft, job, step, Effect.TerminationReason.TIME_LIMIT);
      }
    }
  }

  private static void terminate(
      DecisionBuilder draft, Job job, LaunchedStep step, Effect.TerminationReason why) {
    for (String node : step.nodesLeft()) {
      draft.effect(new Effect.TerminateStep(node, job.id(), job.run(), step.number(), why));
    }
  }

  /** A step has ended on all of its nodes: so has a job that is there for it alone. */
  public static void over(DecisionBuilder draft, Job job, int step, ExitStatus worst) {
    if (step == 0 && endsWithStep(job)) {
      finish(draft, job, worst);
    }
  }

  /** A job of several components ends with the last of their steps. */
  private static void finish(DecisionBuilder draft, Job job, ExitStatus exit) {
    Job leader = job;
    ExitStatus worst = exit;
    for (Job part : job.het() == null ? List.<Job>of() : draft.state().records(job.baseId())) {
      if (part.runSteps().step(0) != null) {
        return;
      }
      leader = part.id() == job.baseId() ? part : leader;
      ExitStatus first = part.runSteps().first();
      worst = first == null ? worst : LaunchedStep.worse(worst, first);
    }
    StepCreationRules.finish(draft, leader, worst, worst.equals(OUT_OF_MEMORY));
  }

  private static boolean endsWithStep(Job job) {
    return job.workload() instanceof Workload.InteractiveAllocation interactive
        && interactive.step() != null;
  }
}
