package io.dure.insight.explain;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.cluster.EventApplier;
import io.dure.model.ExitStatus;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.PostRunAction;
import io.dure.model.report.WaitCause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * A cause and how it is taken away.
 *
 * @param cause what it is
 * @param change the cluster without it
 */
record Counterfactual(WaitCause cause, UnaryOperator<ClusterState> change) {
  private static final JobOutcome WELL = new JobOutcome.Completed(ExitStatus.OK);

  /**
   * Jobs that are over now as if they had ended well, so that jobs that depend on them go on; of a
   * heterogeneous job all components, of an array's waiting tasks all of them. Nothing of them is
   * left on any node.
   */
  static Counterfactual ending(
      ExplanationQuery question, WaitCause cause, Collection<Integer> jobs) {
    return new Counterfactual(
        cause,
        state -> {
          List<Event> events = new ArrayList<>();
          for (int id : together(state, jobs)) {
            Job job = state.job(id);
            if (job != null) {
              end(events, job, question.now());
            }
          }
          return events.isEmpty()
              ? state
              : ProposedJobChange.ticked(question, EventApplier.applyAll(state, events));
        });
  }

  /** The jobs with all that end together with them. */
  static TreeSet<Integer> together(ClusterState state, Collection<Integer> jobs) {
    TreeSet<Integer> all = new TreeSet<>();
    for (int id : jobs) {
      Job job = state.job(id);
      if (job == null || job.het() == null) {
        all.add(id);
        continue;
      }
      for (int other = job.het().leader(); other <= job.het().last(); other++) {
        all.add(other);
      }
    }
    return all;
  }

  private static void end(List<Event> events, Job job, Instant now) {
    switch (job.state()) {
      case JobState.Pending _ -> events.add(new Event.JobDropped(job.id(), WELL, now, null));
      case JobState.Running _, JobState.Suspended _ -> {
        events.add(
            new Event.JobEnding(
                job.id(), job.run(), WELL, now, List.of(), PostRunAction.END, false));
        events.add(new Event.JobFinished(job.id()));
      }
      case JobState.Completing over -> {
        if (over.afterwards() != PostRunAction.END) {
          events.add(new Event.RequeueRevoked(job.id(), WELL));
        }
        for (String node : over.nodesLeft()) {
          events.add(new Event.NodeReleased(job.id(), job.run(), node, now));
        }
        if (over.epilog()) {
          events.add(new Event.JobEpilogEnded(job.id(), job.run()));
        }
        events.add(new Event.JobFinished(job.id()));
      }
      case JobState.Ended _ -> {}
    }
  }

  /** The cluster without any of these. */
  static ClusterState without(List<Counterfactual> levers, ClusterState from) {
    ClusterState state = from;
    for (Counterfactual lever : levers) {
      state = lever.change().apply(state);
    }
    return state;
  }
}
