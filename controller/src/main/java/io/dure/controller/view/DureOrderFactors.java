package io.dure.controller.view;

import io.dure.model.accounting.PrioritySettings;
import io.dure.model.config.queueorder.PolicySettings;
import io.dure.model.report.DurePriority;
import io.dure.model.report.PriorityFactors;
import io.dure.rules.queueorder.DurePriorityTable;
import java.util.Map;

/**
 * Dure's own order in the words of Slurm's factors: what the columns show adds up to the priority.
 * A wait is the age, the band the fair share, the size of a short job the job's size, the rank of
 * the QOS the QOS. An overdue job has its place by its wait alone.
 */
final class DureOrderFactors {
  /** The weight of the age, which has place for an overdue job's number. */
  private static final long AGE = 4_294_967_294L;

  private DureOrderFactors() {}

  /** The settings with what the factors weigh. */
  static PrioritySettings weights(PrioritySettings settings, PolicySettings policy) {
    return settings
        .with()
        .calcPeriod(policy.interval())
        .weights(
            new PrioritySettings.Weights(
                AGE,
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
    boolean overdue = standing.overdue();
    return new PriorityFactors(
        standing.byWait() / (double) AGE,
        0,
        overdue || policy.bands() == 1 ? 0 : standing.band() / (policy.bands() - 1.0),
        standing.bySize() / (double) DurePriorityTable.MOST_BY_SIZE,
        0,
        overdue ? 0 : standing.rank(),
        Map.of(),
        overdue ? 0 : standing.site(),
        overdue ? 0 : standing.nice(),
        standing.priority(),
        standing.fixed());
  }
}
