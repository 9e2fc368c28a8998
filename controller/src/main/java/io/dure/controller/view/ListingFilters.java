package io.dure.controller.view;

import io.dure.model.ErrorCode;
import io.dure.model.job.Job;
import io.dure.protocol.JobCriteria;
import io.dure.protocol.NodeCriteria;
import io.dure.protocol.Response;
import io.dure.protocol.WireCodecs;
import io.dure.surface.facts.NodeDetails;
import io.dure.surface.sinfo.NodeMatcher;
import io.dure.surface.squeue.JobMatcher;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Leaves out what a listing does not ask for, as squeue and sinfo would. Any thread. */
public final class ListingFilters {
  private ListingFilters() {}

  /** Refuses criteria that no command line has room for; null for others. */
  public static Response.@Nullable Failed refusal(@Nullable JobCriteria criteria) {
    return criteria == null ? null : refusal(criteria.longestList());
  }

  private static Response.@Nullable Failed refusal(int names) {
    return names <= WireCodecs.MAX_NAMES
        ? null
        : new Response.Failed(
            ErrorCode.BAD_INPUT,
            "A list has " + names + " names, at most " + WireCodecs.MAX_NAMES + " are possible.");
  }

  /** Keeps the jobs that match. */
  public static void keep(@Nullable JobCriteria criteria, List<Job> jobs) {
    if (criteria != null) {
      JobMatcher matcher = JobMatcher.ofRequest(criteria);
      jobs.removeIf(job -> !matcher.matches(job));
    }
  }

  /**
   * The cluster with the nodes that match, one whose nodes the caller may not see as it is; or a
   * refusal of criteria that no command line has room for.
   */
  public static Response only(@Nullable NodeCriteria criteria, Response.Cluster cluster) {
    if (criteria == null || cluster.denied().contains(Response.Cluster.NODES)) {
      return cluster;
    }
    Response refusal = refusal(criteria.longestList());
    if (refusal != null) {
      return refusal;
    }
    NodeMatcher matcher = NodeMatcher.ofRequest(criteria);
    return cluster.withNodes(
        cluster.nodes().stream().filter(node -> matcher.matches(new NodeDetails(node))).toList());
  }
}
