package io.dure.het;

import io.dure.core.controller.JobChange;
import io.dure.core.model.Job;
import io.dure.core.model.TimeLimit;

/** Time limits, shorter to write. */
final class Limits {
  private Limits() {}

  /** Another time limit and nothing else. */
  static JobChange of(long minutes) {
    return new JobChange(
        null,
        null,
        null,
        null,
        null,
        TimeLimit.minutes(minutes),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        JobChange.Shape.NONE,
        JobChange.Output.NONE,
        null,
        null,
        null,
        null,
        null);
  }

  /** A job's limit in minutes, 0 for none. */
  static long minutes(Job job) {
    return job.spec().timeLimit() instanceof TimeLimit.Limited(var limit) ? limit.toMinutes() : 0;
  }
}
