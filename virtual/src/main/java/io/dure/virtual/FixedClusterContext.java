package io.dure.virtual;

import io.dure.model.accounting.usage.UsageDecay;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.preempt.PreemptSettings;
import io.dure.model.reservation.Reservation;
import io.dure.rules.SchedulerView;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * What stays as it is while jobs come and go.
 *
 * @param base where the future begins
 * @param settings the settings in force
 * @param partitions partitions, in order
 * @param reservations reservations that are not over
 * @param decay how usage fades
 * @param charged whether jobs are charged for what they use
 * @param looked whether holdings of a node are asked for; the scheduler counts by itself
 */
@RecordBuilder
record FixedClusterContext(
    SchedulerView base,
    ClusterSettings settings,
    List<PartitionConfig> partitions,
    List<Reservation> reservations,
    UsageDecay decay,
    boolean charged,
    boolean looked)
    implements FixedClusterContextBuilder.With {
  FixedClusterContext {
    partitions = List.copyOf(partitions);
    reservations = List.copyOf(reservations);
  }

  /** That of a view. */
  static FixedClusterContext of(SchedulerView base, boolean looked) {
    ClusterSettings settings = base.settings();
    return new FixedClusterContext(
        base,
        settings,
        base.partitions(),
        base.reservations(),
        UsageDecay.of(settings.priority().halfLife()),
        !base.accounts().isUntouched(),
        looked || settings.preempt().type() != PreemptSettings.Type.NONE);
  }
}
