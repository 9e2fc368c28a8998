package io.dure.core.controller.decide;

import io.dure.core.config.Settings;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Event;
import io.dure.core.model.Afterwards;
import io.dure.core.model.Allocation;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.Outcome;
import io.dure.core.model.Requeue;
import java.util.List;

/** How runs end, whatever the cause: one place for the way from RUNNING to the end or the queue. */
final class Endings {
  private Endings() {}

  /** True if a node failure puts the job back into the queue. */
  static boolean mayRequeue(Settings settings, Job job) {
    return switch (job.spec().requeue()) {
      case YES -> true;
      case NO -> false;
      case DEFAULT -> settings.jobs().requeue();
    };
  }

  static boolean mayRequeue(Settings settings, Requeue requeue) {
    return requeue == Requeue.DEFAULT ? settings.jobs().requeue() : requeue == Requeue.YES;
  }

  /** Ends a running job on all its nodes. */
  static void end(Draft draft, Job job, Outcome outcome, Afterwards afterwards, Effect.Why why) {
    JobState.Running running = (JobState.Running) job.state();
    end(draft, job, outcome, afterwards, why, running.allocation().nodes());
  }

  /** Ends a running job; {@code nodesLeft} are to be cleaned, its other nodes are free at once. */
  static void end(
      Draft draft,
      Job job,
      Outcome outcome,
      Afterwards afterwards,
      Effect.Why why,
      List<String> nodesLeft) {
    draft.emit(
        new Event.JobEnding(job.id(), job.run(), outcome, draft.now(), nodesLeft, afterwards));
    for (String node : nodesLeft) {
      draft.effect(new Effect.Terminate(node, job.id(), job.run(), why));
    }
    finishIfClean(draft, job.id());
  }

  /** A node holds nothing of the run any more. */
  static void release(Draft draft, Job job, String node) {
    draft.emit(new Event.NodeReleased(job.id(), job.run(), node, draft.now()));
    finishIfClean(draft, job.id());
  }

  /** A node is lost: its jobs end or go back, what was being cleaned there is given up. */
  static void nodeLost(Draft draft, Job job, String node) {
    switch (job.state()) {
      case JobState.Running running -> {
        boolean again = mayRequeue(draft.state().settings(), job);
        List<String> others =
            running.allocation().nodes().stream().filter(n -> !n.equals(node)).toList();
        end(
            draft,
            job,
            new Outcome.NodeFailed(new io.dure.core.model.ExitStatus(1, 0), node),
            again ? Afterwards.REQUEUE : Afterwards.END,
            Effect.Why.NODE_FAILURE,
            others);
      }
      case JobState.Completing completing when completing.nodesLeft().contains(node) ->
          release(draft, job, node);
      case JobState.Completing _, JobState.Pending _, JobState.Ended _ -> {}
    }
  }

  private static void finishIfClean(Draft draft, int jobId) {
    Job job = draft.state().job(jobId);
    if (job == null
        || !(job.state() instanceof JobState.Completing completing)
        || !completing.nodesLeft().isEmpty()) {
      return;
    }
    switch (completing.afterwards()) {
      case END -> draft.emit(new Event.JobFinished(jobId));
      case REQUEUE -> requeue(draft, job, holdFor(draft, job, completing.outcome()), true);
      case REQUEUE_HOLD -> requeue(draft, job, heldAfter(completing.outcome()), true);
      case SPECIAL_EXIT -> requeue(draft, job, Hold.SPECIAL_EXIT, true);
    }
  }

  private static Hold heldAfter(Outcome outcome) {
    return outcome instanceof Outcome.LaunchFailed ? Hold.LAUNCH_FAILURE : Hold.USER;
  }

  private static Hold holdFor(Draft draft, Job job, Outcome outcome) {
    int most = draft.state().settings().jobs().maxBatchRequeue();
    boolean counted = outcome instanceof Outcome.LaunchFailed;
    return counted && job.restarts() + 1 > most ? Hold.MAX_REQUEUE : Hold.NONE;
  }

  /** Puts a job that is over back into the queue. */
  static void requeue(Draft draft, Job job, Hold hold, boolean delayed) {
    Settings settings = draft.state().settings();
    long priority = hold == Hold.NONE ? Priorities.of(job.spec(), job.baseId()) : 0;
    draft.emit(
        new Event.JobRequeued(
            job.id(),
            hold,
            delayed ? draft.now().plus(settings.scheduling().requeueDelay()) : draft.now(),
            priority,
            true));
  }

  /** The allocation of a job that holds one. */
  static Allocation allocation(Job job) {
    return switch (job.state()) {
      case JobState.Running r -> r.allocation();
      case JobState.Completing c -> c.allocation();
      case JobState.Pending _, JobState.Ended _ ->
          throw new IllegalStateException("job " + job.id() + " holds nothing");
    };
  }
}
