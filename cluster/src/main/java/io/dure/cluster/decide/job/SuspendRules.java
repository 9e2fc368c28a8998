package io.dure.cluster.decide.job;

import io.dure.cluster.ClusterState;
import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.cluster.derived.TimeSliceQueue;
import io.dure.model.ErrorCode;
import io.dure.model.command.Caller;
import io.dure.model.command.Command;
import io.dure.model.command.Effect;
import io.dure.model.command.JobSelector;
import io.dure.model.command.Reply;
import io.dure.model.command.RunReport;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.JobState.Suspended.Cause;
import io.dure.model.request.JobSpec;
import io.dure.rules.RunEndTime;
import io.dure.rules.gang.GangRules;
import io.dure.rules.preemption.ResumeRules;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Suspending jobs, and letting them go on: on request, for others, and in turns. */
public final class SuspendRules {
  private SuspendRules() {}

  public static Reply suspend(
      DecisionBuilder draft, Command.SuspendJob command, Caller.User caller) {
    return each(draft, command.job(), caller, SuspendRules::suspend);
  }

  public static Reply resume(DecisionBuilder draft, Command.ResumeJob command, Caller.User caller) {
    return each(draft, command.job(), caller, SuspendRules::resume);
  }

  private interface Action {
    @Nullable ErrorCode on(DecisionBuilder draft, Job job);
  }

  /** Operators alone may, also of their own jobs. What was done of several stands. */
  private static Reply each(
      DecisionBuilder draft, JobSelector selector, Caller.User caller, Action action) {
    JobSelection.Found found = JobSelection.find(draft, selector, caller);
    if (found.refusal() != null) {
      return draft.refuse(found.refusal());
    }
    if (!caller.operator()) {
      return draft.refuse(ErrorCode.ACCESS_DENIED);
    }
    ErrorCode problem = null;
    for (Job job : found.jobs()) {
      ErrorCode one = action.on(draft, job);
      problem = one == null ? problem : one;
    }
    return problem == null ? draft.done() : draft.partly(problem);
  }

  private static @Nullable ErrorCode suspend(DecisionBuilder draft, Job job) {
    return switch (job.state()) {
      case JobState.Pending _ -> ErrorCode.JOB_PENDING;
      case JobState.Running running when running.configuring() -> ErrorCode.TRANSITION_STATE;
      case JobState.Running running -> {
        suspend(draft, job, running, Cause.OPERATOR, null);
        yield null;
      }
      case JobState.Suspended suspended -> {
        if (suspended.cause() != Cause.OPERATOR) {
          suspend(draft, job, suspended.run(), Cause.OPERATOR, null);
        }
        yield null;
      }
      case JobState.Completing _, JobState.Ended _ -> ErrorCode.ALREADY_DONE;
    };
  }

  /**
   * Suspends a job; one that is only on its way stands still as soon as it is there, and what
   * stands still already does so for another reason now.
   *
   * @param forJob the preempting job, null for none
   */
  static void suspend(
      DecisionBuilder draft, Job job, JobState.Running run, Cause cause, @Nullable Integer forJob) {
    // A clock that was set back must not make hours of the pause in which the job ran.
    Instant runs = run.runsSince();
    Instant since = draft.now().isBefore(runs) ? runs : draft.now();
    draft.emit(new Event.JobSuspended(job.id(), job.run(), since, cause, forJob));
    if (job.state() instanceof JobState.Running) {
      for (String node : nodes(job, run)) {
        draft.effect(new Effect.Suspend(node, job.id(), job.run()));
      }
    }
  }

  /** Where processes of a job are: on the batch host, and where a step runs. */
  private static Set<String> nodes(Job job, JobState.Running run) {
    Set<String> nodes = new LinkedHashSet<>();
    nodes.add(run.allocation().batchHost());
    job.runSteps().live().forEach(step -> nodes.addAll(step.nodesLeft()));
    return nodes;
  }

  private static @Nullable ErrorCode resume(DecisionBuilder draft, Job job) {
    return switch (job.state()) {
      case JobState.Pending _ -> ErrorCode.JOB_PENDING;
      case JobState.Running _ -> ErrorCode.JOB_NOT_SUSPENDED;
      case JobState.Suspended suspended when GangRules.waits(job) -> {
        GangRules turns = turns(draft);
        if (turns.isKept(job)) {
          yield ErrorCode.TRANSITION_STATE;
        }
        giveTurn(draft, turns, job, suspended);
        yield null;
      }
      case JobState.Suspended suspended -> {
        resume(draft, job, suspended, null);
        yield null;
      }
      case JobState.Completing _, JobState.Ended _ -> ErrorCode.ALREADY_DONE;
    };
  }

  /**
   * Lets a job go on.
   *
   * @param inVain the preempting job that did not start, null for none
   */
  private static void resume(
      DecisionBuilder draft, Job job, JobState.Suspended suspended, @Nullable Integer inVain) {
    Instant end = ResumeRules.end(draft.state(), job.spec(), suspended, draft.now());
    draft.emit(new Event.JobResumed(job.id(), job.run(), draft.now(), end, inVain));
    for (String node : nodes(job, suspended.run())) {
      draft.effect(new Effect.Resume(node, job.id(), job.run()));
    }
  }

  /** When a run ends by what it asks for, its pauses put on top. */
  static @Nullable Instant end(
      ClusterState state,
      JobSpec spec,
      JobState.Running running,
      JobState.@Nullable SuspensionTotals pauses) {
    Instant begun = pauses == null ? running.start() : running.start().plus(pauses.total());
    return RunEndTime.of(state, spec, running.allocation(), begun);
  }

  /** What the scheduler suspended goes on once no other job has its cores, or is to get them. */
  public static void tick(DecisionBuilder draft, Job job, JobState.Suspended suspended) {
    if (ResumeRules.isDue(draft.state(), suspended, draft.now())) {
      resume(
          draft,
          job,
          suspended,
          ResumeRules.absentPreemptor(draft.state(), suspended, draft.now()));
    }
  }

  private static GangRules turns(DecisionBuilder draft) {
    return new GangRules(draft.state(), id -> draft.state().active().get(id));
  }

  /**
   * Where something has moved, a job that would run beside another on a shared core waits for its
   * turn, and a job that has room goes on; so do jobs preempted for a job that is gone by now.
   */
  public static void settle(DecisionBuilder draft) {
    for (List<String> nodes = draft.stirred(); !nodes.isEmpty(); nodes = draft.stirred()) {
      GangRules turns = turns(draft);
      for (Job job : turns.running(nodes)) {
        if (job.state() instanceof JobState.Running running && turns.yields(job)) {
          suspend(draft, job, running, Cause.TIME_SLICE, null);
        }
      }
      for (Job job : turns.waiting(nodes)) {
        if (job.state() instanceof JobState.Suspended suspended && turns.hasRoom(job)) {
          giveTurn(draft, turns, job, suspended);
        }
      }
      for (Job job : turns.madeRoom(nodes)) {
        if (job.state() instanceof JobState.Suspended suspended
            && ResumeRules.isOver(draft.state(), suspended, draft.now())) {
          resume(draft, job, suspended, null);
        }
      }
    }
  }

  /** It goes on, and those that may not run beside it wait. */
  private static void giveTurn(
      DecisionBuilder draft, GangRules turns, Job job, JobState.Suspended suspended) {
    List<Job> others = new ArrayList<>(turns.below(job));
    if (turns.takesPart(job)) {
      others.addAll(turns.beside(job));
    }
    for (Job other : others) {
      if (other.state() instanceof JobState.Running running) {
        suspend(draft, other, running, Cause.TIME_SLICE, null);
      }
    }
    resume(draft, job, suspended, null);
  }

  /** Where a turn is over it is that of the jobs that have waited for longest. */
  public static void turn(DecisionBuilder draft) {
    Duration slice = draft.state().settings().preempt().timeSlice();
    for (TimeSliceQueue.Turn turn : draft.state().slices().turns()) {
      Instant over = slice == null ? draft.now() : turn.since().plus(slice);
      if (!draft.now().isBefore(over)) {
        turn(draft, turn.partition(), over);
      }
    }
  }

  private static void turn(DecisionBuilder draft, String partition, Instant over) {
    GangRules turns = turns(draft);
    List<Job> waiting = new ArrayList<>(draft.state().slices().waiting(partition));
    waiting.sort(turns.order());
    for (Job job : waiting) {
      if (draft.isLong()) {
        return;
      }
      if (job.state() instanceof JobState.Suspended suspended
          && suspended.since().isBefore(over)
          && !turns.isKept(job)
          && turns.beside(job).stream().allMatch(other -> hadTurn(other, over))) {
        giveTurn(draft, turns, job, suspended);
      }
    }
    draft.emit(new Event.SliceTurned(partition, draft.now()));
  }

  /** Whether it has run since before the turn was over: else its own has only begun. */
  private static boolean hadTurn(Job job, Instant over) {
    return job.state() instanceof JobState.Running running && running.runsSince().isBefore(over);
  }

  /** A node tells whether the processes of a run stand still: that is to be as it is here. */
  public static void settle(DecisionBuilder draft, String node, RunReport report) {
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
