package io.dure.cluster.decide.job;

import io.dure.cluster.DecisionBuilder;
import io.dure.cluster.Event;
import io.dure.model.job.Job;
import io.dure.placement.admission.Eligibility;
import java.util.TreeSet;

/** From when on waiting jobs could start, and from when on their age counts. */
public final class EligibilityRules {
  private EligibilityRules() {}

  /** Notes when a job came to depend on nothing but resources and order. */
  public static void eligibility(DecisionBuilder draft, int jobId) {
    Job job = draft.state().pending().get(jobId);
    if (job != null && Eligibility.begins(job, draft.now())) {
      boolean ages = Eligibility.mayAge(draft.state(), job);
      draft.emit(new Event.JobEligible(job.id(), draft.now(), ages ? null : Event.Age.WAITS));
    }
  }

  /**
   * The age of jobs that came first counts first; of those that limits do not tell apart one is
   * asked about.
   */
  public static void ageing(DecisionBuilder draft) {
    TreeSet<Integer> next = new TreeSet<>(draft.state().ageing().firsts());
    while (!next.isEmpty() && !draft.isLong()) {
      Job job = draft.state().pending().require(next.removeFirst());
      if (Eligibility.mayAge(draft.state(), job)) {
        draft.emit(new Event.JobEligible(job.id(), draft.now(), Event.Age.COUNTS));
        Integer like = draft.state().ageing().like(job);
        if (like != null) {
          next.add(like);
        }
      }
    }
  }
}
