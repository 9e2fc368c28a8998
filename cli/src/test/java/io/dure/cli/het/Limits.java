package io.dure.cli.het;

import io.dure.model.command.JobChange;
import io.dure.model.job.Job;
import io.dure.model.request.TimeLimit;

/** Time limits, shorter to write. */
final class Limits {
  private Limits() {}

  /** Another time limit and nothing else. */
  static JobChange of(long minutes) {
    return JobChange.NONE.withTimeLimit(TimeLimit.minutes(minutes));
  }

  /** A job's limit in minutes, 0 for none. */
  static long minutes(Job job) {
    return job.spec().timeLimit() instanceof TimeLimit.Limited(var limit) ? limit.toMinutes() : 0;
  }
}
