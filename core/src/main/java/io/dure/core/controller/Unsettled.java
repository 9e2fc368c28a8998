package io.dure.core.controller;

import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;

/** Which pending jobs time alone, or what becomes of other jobs, may change. */
final class Unsettled {
  private Unsettled() {}

  /** Whether the passing of time has to look at the job; most of a long queue it has not. */
  static boolean is(Job job) {
    return job.state() instanceof JobState.Pending pending
        && (!pending.waitingFor().isEmpty()
            || pending.dependencyFailed()
            || pending.accrual() instanceof JobState.Accrual.Waits
            || job.spec().deadline() != null
            || job.eligibleTime() == null && pending.hold() == Hold.NONE
            || job.spec().dependency().eachTaskDepends());
  }
}
