package io.dure.controller.server;

import io.dure.controller.view.ClusterView;
import io.dure.controller.view.JobView;
import io.dure.controller.view.ShownPriorities;
import io.dure.controller.view.Verdicts;
import io.dure.core.controller.Caller;
import io.dure.core.controller.ClusterState;
import io.dure.core.model.Job;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What one connection has been told of the jobs. The state shares all that did not change with its
 * predecessors, so what did is found without looking at the rest. One thread.
 */
final class JobFeed {
  private @Nullable ClusterState told;
  private Verdicts toldVerdicts = Verdicts.NONE;
  private Instant toldPriorities = Instant.MIN;

  /** What differs from the last answer; everything the first time. */
  Response.JobChanges next(
      ClusterState state, Verdicts verdicts, PriorityBoard board, Caller.User caller, Instant now) {
    List<String> unlisted = ClusterView.unlisted(state, caller);
    ClusterState before = told;
    boolean whole =
        before == null
            || !before.settings().equals(state.settings())
            || !before.partitions().equals(state.partitions());
    List<Job> jobs = new ArrayList<>();
    List<Integer> gone = new ArrayList<>();
    if (before == null || whole) {
      jobs.addAll(state.jobs());
    } else {
      for (int id : different(before, state, verdicts, board.of(state, List.of(), now))) {
        Job job = state.job(id);
        if (job == null) {
          gone.add(id);
        } else {
          jobs.add(job);
        }
      }
    }
    ShownPriorities priorities = board.of(state, jobs, now);
    List<JobInfo> changed = new ArrayList<>(jobs.size());
    for (Job job : jobs) {
      changed.add(JobView.info(state, verdicts, priorities, job, unlisted));
    }
    told = state;
    toldPriorities = priorities.at();
    toldVerdicts = verdicts;
    return new Response.JobChanges(whole, changed, gone, verdicts.at(), now);
  }

  private Set<Integer> different(
      ClusterState before, ClusterState state, Verdicts verdicts, ShownPriorities priorities) {
    TreeSet<Integer> ids = new TreeSet<>();
    if (!priorities.at().equals(toldPriorities)) {
      ids.addAll(state.pending().keys());
      ids.addAll(state.active().keys());
    }
    before.pending().forEachDifference(state.pending(), ids::add);
    before.active().forEachDifference(state.active(), ids::add);
    before.ended().forEachDifference(state.ended(), ids::add);
    verdicts
        .byJob()
        .forEachDifference(
            toldVerdicts.byJob(),
            id -> {
              var now = verdicts.byJob().get(id);
              if (now == null || !now.equals(toldVerdicts.byJob().get(id))) {
                ids.add(id);
              }
            });
    return ids;
  }
}
