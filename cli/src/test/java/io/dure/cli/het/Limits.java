package io.dure.cli.het;

import io.dure.model.Job;
import io.dure.model.TimeLimit;
import io.dure.model.command.JobChange;

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
        JobChange.ResourceChange.NONE,
        JobChange.OutputChange.NONE,
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
