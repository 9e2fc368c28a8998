package io.dure.controller.server;

import io.dure.controller.view.ShownPriorities;
import io.dure.core.controller.ClusterState;
import io.dure.core.model.Job;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The priorities that all listings of a while show. Any thread. */
final class PriorityCache {
  private volatile @Nullable ShownPriorities newest;

  /** The priorities of jobs of that state. */
  ShownPriorities of(ClusterState state, List<Job> jobs, Instant now) {
    ShownPriorities known = newest;
    ShownPriorities holding =
        known != null && known.holdFor(state, now) ? known : ShownPriorities.of(state, now);
    ShownPriorities shown = holding.covering(state, jobs);
    newest = shown;
    return shown;
  }
}
