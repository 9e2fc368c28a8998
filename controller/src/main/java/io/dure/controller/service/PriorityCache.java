package io.dure.controller.service;

import io.dure.cluster.ClusterState;
import io.dure.controller.view.DisplayedPriorities;
import io.dure.model.job.Job;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The priorities that all listings of a while show. Any thread. */
final class PriorityCache {
  private volatile @Nullable DisplayedPriorities newest;

  /** The priorities of jobs of that state. */
  DisplayedPriorities of(ClusterState state, List<Job> jobs, Instant now) {
    DisplayedPriorities known = newest;
    DisplayedPriorities holding =
        known != null && known.holdFor(state, now) ? known : DisplayedPriorities.of(state, now);
    DisplayedPriorities shown = holding.covering(state, jobs);
    newest = shown;
    return shown;
  }
}
