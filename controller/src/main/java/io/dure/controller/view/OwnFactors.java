package io.dure.controller.view;

import io.dure.core.accounting.PrioritySettings;
import io.dure.core.config.policy.PolicySettings;
import io.dure.core.scheduler.policy.Standing;
import io.dure.core.scheduler.policy.Standings;
import io.dure.core.scheduler.priority.PriorityFactors;
import java.util.Map;

/**
 * Dure's own order in the words of Slurm's factors: what the columns show adds up to the priority.
 * Having waited too long is the age, the band the fair share, the size the job's size with what a
 * growing wait makes up for of it, the rank of the QOS the QOS.
 */
final class OwnFactors {
  private OwnFactors() {}

  /** The settings with what the factors weigh. */
  static PrioritySettings weights(PrioritySettings settings, PolicySettings policy) {
    return settings
        .with()
        .calcPeriod(policy.interval())
        .weights(
            new PrioritySettings.Weights(
                Standings.OVERDUE,
                0,
                (policy.bands() - 1) * Standings.BAND,
                Standings.MOST_BY_SIZE,
                0,
                Standings.RANK,
                Map.of()))
        .build();
  }

  /** What a job's place is made of. */
  static PriorityFactors of(Standing standing, PolicySettings policy) {
    return new PriorityFactors(
        standing.overdue() ? 1 : 0,
        0,
        policy.bands() == 1 ? 0 : standing.band() / (policy.bands() - 1.0),
        (standing.bySize() + standing.byWait()) / (double) Standings.MOST_BY_SIZE,
        0,
        standing.rank(),
        Map.of(),
        standing.site(),
        standing.nice(),
        standing.priority(),
        standing.fixed());
  }
}
