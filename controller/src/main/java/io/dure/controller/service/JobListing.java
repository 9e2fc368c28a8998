package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.controller.view.DisplayedPriorities;
import io.dure.controller.view.JobView;
import io.dure.controller.view.PendingVerdicts;
import io.dure.model.job.Job;
import io.dure.protocol.JobInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs as one caller sees them at one moment, made while they are told: a million of them at once
 * would take too long, and too much memory on both sides. One thread.
 */
final class JobListing {
  private final RowSources moment;
  private final List<Job> jobs;
  private int told;

  /**
   * What the rows are made from.
   *
   * @param unlisted partitions that the caller sees only when asking for all
   */
  record RowSources(
      ClusterState state,
      PendingVerdicts verdicts,
      DisplayedPriorities priorities,
      List<String> unlisted,
      Instant now) {}

  JobListing(RowSources moment, List<Job> jobs) {
    this.moment = moment;
    this.jobs = jobs;
  }

  RowSources moment() {
    return moment;
  }

  /** The next ones, so many at most; 0 for all. */
  List<JobInfo> next(int most) {
    int end = most <= 0 ? jobs.size() : told + Math.min(most, jobs.size() - told);
    List<JobInfo> infos = new ArrayList<>(end - told);
    for (Job job : jobs.subList(told, end)) {
      infos.add(
          JobView.info(
              moment.state(), moment.verdicts(), moment.priorities(), job, moment.unlisted()));
    }
    told = end;
    return infos;
  }

  /** How many have not been told. */
  int left() {
    return jobs.size() - told;
  }
}
