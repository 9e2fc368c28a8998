package io.dure.cluster.decide;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.model.Hold;
import io.dure.model.Job;
import io.dure.model.JobState;
import io.dure.model.accounting.PrioritySettings;
import io.dure.rules.JobReadiness;
import io.dure.rules.limits.AccrueLimits;
import java.util.TreeSet;

/** From when on waiting jobs could start, and from when on their age counts. */
final class EligibilityRules {
  private EligibilityRules() {}

  /** Notes when a job came to depend on nothing but resources and order. */
  static void eligibility(DecisionBuilder draft, int jobId) {
    Job job = draft.state().pending().get(jobId);
    if (job != null
        && job.eligibleTime() == null
        && job.state() instanceof JobState.Pending pending
        && pending.hold() == Hold.NONE
        && pending.waitingFor().isEmpty()
        && !JobReadiness.notBefore(job).isAfter(draft.now())) {
      boolean ages = mayAge(draft.state(), job);
      draft.emit(new Event.JobEligible(job.id(), draft.now(), ages ? null : Event.Age.WAITS));
    }
  }

  /**
   * The age of jobs that came first counts first; of those that limits do not tell apart one is
   * asked about.
   */
  static void ageing(DecisionBuilder draft) {
    TreeSet<Integer> next = new TreeSet<>(draft.state().ageing().firsts());
    while (!next.isEmpty() && !draft.isLong()) {
      Job job = draft.state().pending().require(next.removeFirst());
      if (mayAge(draft.state(), job)) {
        draft.emit(new Event.JobEligible(job.id(), draft.now(), Event.Age.COUNTS));
        Integer like = draft.state().ageing().like(job);
        if (like != null) {
          next.add(like);
        }
      }
    }
  }

  /** Whether limits let one more job of its kind grow older. */
  private static boolean mayAge(ClusterState state, Job job) {
    PrioritySettings settings = state.settings().priority();
    return !settings.enforced().limits()
        || settings.has(PrioritySettings.Flag.ACCRUE_ALWAYS)
        || AccrueLimits.of(state, state.queued()).allow(job);
  }
}
