package io.dure.core.controller.decide;

import io.dure.core.config.PartitionConfig;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Decision;
import io.dure.core.controller.Effect;
import io.dure.core.controller.Event;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.scheduler.Placement;
import io.dure.core.scheduler.Recheck;
import io.dure.core.scheduler.RunEnd;

/**
 * Starting what the scheduler placed. The plan was made from an older view, so each placement is
 * checked again: what no longer fits is left for the next plan.
 */
final class StartRules {
  private StartRules() {}

  static Decision start(Draft draft, Command.StartJobs command) {
    for (Placement placement : command.placements()) {
      if (mayStart(draft.state(), placement, draft)
          && Recheck.objection(draft.state(), placement, draft.now()) == null) {
        start(draft, placement);
      }
    }
    return draft.done();
  }

  private static boolean mayStart(ClusterState state, Placement placement, Draft draft) {
    Job job = state.pending().get(placement.jobId());
    PartitionConfig partition = state.partition(placement.allocation().partition());
    if (job == null
        || partition == null
        || !partition.state().starts()
        || !(job.state() instanceof JobState.Pending pending)
        || pending.hold() != Hold.NONE
        || !pending.waitingFor().isEmpty()
        || TickRules.notBefore(job).isAfter(draft.now())) {
      return false;
    }
    Integer index = placement.taskIndex();
    if (!(job.array() instanceof ArrayPart.Waiting waiting)) {
      return index == null;
    }
    return index != null
        && waiting.waiting().contains(index)
        && DependencyRules.taskMayStart(state, job, index)
        && (waiting.throttle() == 0 || runningTasks(state, job.id()) < waiting.throttle());
  }

  /** Tasks of the array that hold resources. */
  static int runningTasks(ClusterState state, int arrayJobId) {
    int running = 0;
    for (int id : state.arrayTasks(arrayJobId).values()) {
      if (state.active().contains(id)) {
        running++;
      }
    }
    return running;
  }

  private static void start(Draft draft, Placement placement) {
    Integer index = placement.taskIndex();
    Job job =
        index == null
            ? draft.state().pending().require(placement.jobId())
            : Selection.splitTask(draft, placement.jobId(), index);
    boolean configuring = ScriptRules.hasProlog(draft);
    draft.emit(
        new Event.JobStarted(
            job.id(),
            job.run() + 1,
            placement.allocation(),
            draft.now(),
            RunEnd.of(draft.state(), job.spec(), placement.allocation(), draft.now()),
            configuring));
    draft.effect(
        configuring
            ? new Effect.RunProlog(job.id(), job.run() + 1)
            : new Effect.Launch(placement.allocation().batchHost(), job.id(), job.run() + 1));
  }
}
