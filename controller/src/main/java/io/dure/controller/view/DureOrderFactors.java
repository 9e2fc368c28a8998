package io.dure.controller.view;

import io.dure.model.accounting.PrioritySettings;
import io.dure.model.config.queueorder.PolicySettings;
import io.dure.model.report.DurePriority;
import io.dure.model.report.PriorityFactors;
import io.dure.rules.queueorder.DurePriorityTable;
import java.util.Map;

/**
 * Dure's own order in the words of Slurm's factors: what the columns show adds up to the priority.
 * Having waited too long is the age, the band the fair share, the size the job's size with what a
 * growing wait makes up for of it, the rank of the QOS the QOS.
 */
final class DureOrderFactors {
  private DureOrderFactors() {}

  /** The settings with what the factors weigh. */
  static PrioritySettings weights(PrioritySettings settings, PolicySettings policy) {
    return settings
        .with()
        .calcPeriod(policy.interval())
        .weights(
            new PrioritySettings.Weights(
                DurePriorityTable.OVERDUE,
                0,
                (policy.bands() - 1) * DurePriorityTable.BAND,
                DurePriorityTable.MOST_BY_SIZE,
                0,
                DurePriorityTable.RANK,
                Map.of()))
        .build();
  }

  /** What a job's place is made of. */
  static PriorityFactors of(DurePriority standing, PolicySettings policy) {
    return new PriorityFactors(
        standing.overdue() ? 1 : 0,
        0,
        policy.bands() == 1 ? 0 : standing.band() / (policy.bands() - 1.0),
        (standing.bySize() + standing.byWait()) / (double) DurePriorityTable.MOST_BY_SIZE,
        0,
        standing.rank(),
        Map.of(),
        standing.site(),
        standing.nice(),
        standing.priority(),
        standing.fixed());
  }
}
