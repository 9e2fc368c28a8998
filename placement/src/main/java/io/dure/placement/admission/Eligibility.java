package io.dure.placement.admission;

import io.dure.model.accounting.PrioritySettings;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.rules.JobReadiness;
import io.dure.rules.limits.AccrueLimits;
import java.time.Instant;

/** From when on waiting jobs could start, and from when on their age counts. */
public final class Eligibility {
  private Eligibility() {}

  /** Whether a job has come to depend on nothing but resources and order. */
  public static boolean begins(Job job, Instant now) {
    return job.eligibleTime() == null
        && job.state() instanceof JobState.Pending pending
        && pending.hold() == Hold.NONE
        && pending.waitingFor().isEmpty()
        && !JobReadiness.notBefore(job).isAfter(now);
  }

  /** Whether limits let the age of one more job of its kind count. */
  public static boolean mayAge(AdmissionView view, Job job) {
    PrioritySettings settings = view.settings().priority();
    return !settings.enforced().limits()
        || settings.has(PrioritySettings.Flag.ACCRUE_ALWAYS)
        || AccrueLimits.of(view, view.queued()).allow(job);
  }
}
