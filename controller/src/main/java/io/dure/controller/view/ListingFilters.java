package io.dure.controller.view;

import io.dure.model.job.Job;
import io.dure.protocol.JobCriteria;
import io.dure.protocol.NodeCriteria;
import io.dure.protocol.Response;
import io.dure.surface.facts.NodeDetails;
import io.dure.surface.sinfo.NodeMatcher;
import io.dure.surface.squeue.JobMatcher;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Leaves out what a listing does not ask for, as squeue and sinfo would. Any thread. */
public final class ListingFilters {
  private ListingFilters() {}

  /** Keeps the jobs that match. */
  public static void keep(@Nullable JobCriteria criteria, List<Job> jobs) {
    if (criteria != null) {
      JobMatcher matcher = new JobMatcher(criteria);
      jobs.removeIf(job -> !matcher.matches(job));
    }
  }

  /** The cluster with the nodes that match; one whose nodes the caller may not see as it is. */
  public static Response.Cluster only(@Nullable NodeCriteria criteria, Response.Cluster cluster) {
    if (criteria == null || cluster.denied().contains(Response.Cluster.NODES)) {
      return cluster;
    }
    NodeMatcher matcher = new NodeMatcher(criteria);
    return cluster.withNodes(
        cluster.nodes().stream().filter(node -> matcher.matches(new NodeDetails(node))).toList());
  }
}
