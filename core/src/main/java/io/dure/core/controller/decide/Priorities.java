package io.dure.core.controller.decide;

import io.dure.core.controller.ClusterState;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;

/** A job's place in the queue: earlier jobs first, moved by nice, unless somebody fixed it. */
final class Priorities {
  private static final long TOP = 4_294_901_760L;

  private Priorities() {}

  /** Priority, at least 1, that the next job gets if it is not held. */
  static long ofNext(ClusterState state, JobSpec spec) {
    return of(state, spec, state.nextJobId(), state.nextJobRound());
  }

  /** Priority, at least 1, of a job that is not held. */
  static long of(ClusterState state, JobSpec spec, Job job) {
    return of(state, spec, job.baseId(), ClusterState.round(job));
  }

  /** Where ids begin again, the jobs of the round before stay ahead. */
  private static long of(ClusterState state, JobSpec spec, int jobId, int round) {
    Long fixed = spec.priority();
    if (fixed != null && fixed > 0) {
      return fixed;
    }
    return Math.clamp(
        TOP - round * state.settings().jobs().maxJobId() - jobId - spec.nice(), 1, 0xFFFF_FFFEL);
  }
}
