package io.dure.core.controller.decide;

import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Event;
import io.dure.core.controller.JobSelector;
import io.dure.core.controller.RunReport;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.model.JobState;
import io.dure.core.scheduler.RunEnd;
import io.dure.core.scheduler.preempt.Resumption;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Suspending jobs, and letting them go on. */
final class SuspendRules {
  private SuspendRules() {}

  static Decision suspend(Draft draft, Command.SuspendJob command, Caller.User who) {
    return each(draft, command.job(), who, SuspendRules::suspend);
  }

  static Decision resume(Draft draft, Command.ResumeJob command, Caller.User who) {
    return each(draft, command.job(), who, SuspendRules::resume);
  }

  private interface Action {
    @Nullable ErrorCode on(Draft draft, Job job);
  }

  /** Operators alone may, also of their own jobs. What was done of several stands. */
  private static Decision each(Draft draft, JobSelector selector, Caller.User who, Action action) {
    Selection.Found found = Selection.find(draft, selector, who);
    if (found.refusal() != null) {
      return Decision.refuse(found.refusal());
    }
    if (!who.operator()) {
      return Decision.refuse(ErrorCode.ACCESS_DENIED);
    }
    ErrorCode problem = null;
    for (Job job : found.jobs()) {
      ErrorCode one = action.on(draft, job);
      problem = one == null ? problem : one;
    }
    return problem == null ? draft.done() : draft.partly(problem);
  }

  private static @Nullable ErrorCode suspend(Draft draft, Job job) {
    return switch (job.state()) {
      case JobState.Pending _ -> ErrorCode.JOB_PENDING;
      case JobState.Running running when running.configuring() -> ErrorCode.TRANSITION_STATE;
      case JobState.Running running -> {
        suspend(draft, job, running, null);
        yield null;
      }
      case JobState.Suspended _ -> null;
      case JobState.Completing _, JobState.Ended _ -> ErrorCode.ALREADY_DONE;
    };
  }

  /**
   * Suspends a job; one that is only on its way stands still as soon as it is there.
   *
   * @param forJob for whom it makes room, null if an operator wants it
   */
  static void suspend(Draft draft, Job job, JobState.Running running, @Nullable Integer forJob) {
    JobState.Suspended.Cause cause =
        forJob == null ? JobState.Suspended.Cause.OPERATOR : JobState.Suspended.Cause.PREEMPTION;
    draft.emit(new Event.JobSuspended(job.id(), job.run(), draft.now(), cause, forJob));
    draft.effect(new Effect.Suspend(running.allocation().batchHost(), job.id(), job.run()));
  }

  private static @Nullable ErrorCode resume(Draft draft, Job job) {
    return switch (job.state()) {
      case JobState.Pending _ -> ErrorCode.JOB_PENDING;
      case JobState.Running _ -> ErrorCode.JOB_NOT_SUSPENDED;
      case JobState.Suspended suspended -> {
        resume(draft, job, suspended);
        yield null;
      }
      case JobState.Completing _, JobState.Ended _ -> ErrorCode.ALREADY_DONE;
    };
  }

  private static void resume(Draft draft, Job job, JobState.Suspended suspended) {
    Instant end = Resumption.end(draft.state(), job.spec(), suspended, draft.now());
    draft.emit(new Event.JobResumed(job.id(), job.run(), draft.now(), end));
    String host = suspended.run().allocation().batchHost();
    draft.effect(new Effect.Resume(host, job.id(), job.run()));
  }

  /** When a run ends by what it asks for, its pauses put on top. */
  static @Nullable Instant end(
      ClusterState state,
      JobSpec spec,
      JobState.Running running,
      JobState.@Nullable Pauses pauses) {
    Instant begun = pauses == null ? running.start() : running.start().plus(pauses.total());
    return RunEnd.of(state, spec, running.allocation(), begun);
  }

  /** What the scheduler suspended goes on once nobody else has its cores, or is to get them. */
  static void tick(Draft draft, Job job, JobState.Suspended suspended) {
    if (PreemptRules.endIfOver(draft, job, suspended.run())) {
      return;
    }
    if (Resumption.isDue(draft.state(), suspended, draft.now())) {
      resume(draft, job, suspended);
    }
  }

  /** A node tells whether the processes of a run stand still: that is to be as it is here. */
  static void settle(Draft draft, String node, RunReport report) {
    Job job = draft.state().active().get(report.jobId());
    if (job == null || job.run() != report.run()) {
      return;
    }
    switch (job.state()) {
      case JobState.Running _ when report.suspended() ->
          draft.effect(new Effect.Resume(node, job.id(), job.run()));
      case JobState.Suspended _ when !report.suspended() ->
          draft.effect(new Effect.Suspend(node, job.id(), job.run()));
      case JobState.Running _,
          JobState.Suspended _,
          JobState.Pending _,
          JobState.Completing _,
          JobState.Ended _ -> {}
    }
  }
}
