package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.controller.view.ClusterView;
import io.dure.controller.view.DisplayedPriorities;
import io.dure.controller.view.PendingVerdicts;
import io.dure.model.command.Caller;
import io.dure.model.job.Job;
import io.dure.protocol.JobInfo;
import io.dure.protocol.Request;
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
public final class JobChangeFeed {
  private @Nullable ClusterState told;
  private PendingVerdicts toldVerdicts = PendingVerdicts.NONE;
  private Instant toldPriorities = Instant.MIN;

  /** Differences of which some are still to be told. */
  private @Nullable JobListing telling;

  private @Nullable JobListing listing;

  /** The first jobs of a listing. */
  Response.Jobs list(JobListing rows, int most) {
    listing = rows;
    return more(rows, most);
  }

  /** Whether jobs of a listing are left to be told. */
  public boolean isListing() {
    return listing != null;
  }

  /** The next jobs of the listing that was begun last; none if there is none. */
  Response.Jobs more(int most, Instant now) {
    JobListing rows = listing;
    return rows == null ? new Response.Jobs(List.of(), now) : more(rows, most);
  }

  private Response.Jobs more(JobListing rows, int most) {
    List<JobInfo> infos = rows.next(most);
    if (rows.left() == 0) {
      listing = null;
    }
    return new Response.Jobs(infos, rows.moment().now(), rows.left());
  }

  /** What differs from the last answer; everything the first time. */
  Response.JobChanges next(
      Request.ChangedJobs asked,
      ClusterState state,
      PendingVerdicts verdicts,
      PriorityCache board,
      Caller.User caller,
      Instant now) {
    JobListing begun = telling;
    if (begun != null) {
      return part(begun, asked, false, List.of());
    }
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
    DisplayedPriorities priorities = board.of(state, jobs, now);
    told = state;
    toldPriorities = priorities.at();
    toldVerdicts = verdicts;
    List<String> unlisted = ClusterView.unlisted(state, caller);
    return part(
        new JobListing(new JobListing.RowSources(state, verdicts, priorities, unlisted, now), jobs),
        asked,
        whole,
        gone);
  }

  private Response.JobChanges part(
      JobListing of, Request.ChangedJobs asked, boolean whole, List<Integer> gone) {
    List<JobInfo> infos = of.next(asked.most());
    telling = of.left() == 0 ? null : of;
    JobListing.RowSources moment = of.moment();
    return new Response.JobChanges(
        whole, infos, gone, moment.verdicts().at(), moment.now(), of.left());
  }

  private Set<Integer> different(
      ClusterState before,
      ClusterState state,
      PendingVerdicts verdicts,
      DisplayedPriorities priorities) {
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
    verdicts
        .forecasts()
        .forEachDifference(
            toldVerdicts.forecasts(),
            id -> {
              if (state.pending().contains(id)) {
                ids.add(id);
              }
            });
    return ids;
  }
}
