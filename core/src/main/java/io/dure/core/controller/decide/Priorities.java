package io.dure.core.controller.decide;

import io.dure.core.model.JobSpec;

/** A job's place in the queue: earlier jobs first, moved by nice, unless somebody fixed it. */
final class Priorities {
  private static final long TOP = 4_294_901_760L;

  private Priorities() {}

  /** Priority, at least 1, of a job that is not held. */
  static long of(JobSpec spec, int jobId) {
    Long fixed = spec.priority();
    if (fixed != null && fixed > 0) {
      return fixed;
    }
    return Math.clamp(TOP - jobId - spec.nice(), 1, 0xFFFF_FFFEL);
  }
}
