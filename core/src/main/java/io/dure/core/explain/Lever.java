package io.dure.core.explain;

import io.dure.core.controller.Apply;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.Event;
import io.dure.core.model.Afterwards;
import io.dure.core.model.ExitStatus;
import io.dure.core.model.Job;
import io.dure.core.model.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A cause and how it is taken away.
 *
 * @param cause what it is
 * @param change the cluster without it
 */
record Lever(Cause cause, UnaryOperator<ClusterState> change) {

  /** Jobs that are cancelled, and of which nothing is left at once. */
  static Lever cancelling(Cause cause, List<Integer> jobs, Instant now) {
    return new Lever(
        cause,
        state -> {
          ClusterState next = state;
          boolean waited = false;
          for (int id : jobs) {
            Job job = next.job(id);
            if (job != null) {
              waited |= next.pending().contains(id);
              next = cancelled(next, job, now);
            }
          }
          return waited ? Changes.ticked(next, now) : next;
        });
  }

  private static ClusterState cancelled(ClusterState state, Job job, Instant now) {
    if (job.state().underWay() != null) {
      Outcome cancelled = new Outcome.Cancelled(ExitStatus.OK, 0);
      Event ending =
          new Event.JobEnding(
              job.id(), job.run(), cancelled, now, List.of(), Afterwards.END, false);
      return Apply.apply(Apply.apply(state, ending), new Event.JobFinished(job.id()));
    }
    Command.FromUser kill = new Command.KillJob(Subject.selector(job), null, false, false);
    return Changes.asRoot(kill, now).apply(state);
  }

  /** The cluster without any of these. */
  static ClusterState without(List<Lever> levers, ClusterState from) {
    ClusterState state = from;
    for (Lever lever : levers) {
      state = lever.change().apply(state);
    }
    return state;
  }
}
