package io.dure.core.rollout;

import io.dure.core.accounting.usage.Decay;
import io.dure.core.config.PartitionConfig;
import io.dure.core.config.Settings;
import io.dure.core.config.preempt.PreemptSettings;
import io.dure.core.reservation.Reservation;
import io.dure.core.scheduler.SchedulerView;
import java.util.List;

/**
 * What stays as it is while jobs come and go.
 *
 * @param base where the future begins
 * @param settings the settings in force
 * @param partitions partitions, in order
 * @param reservations reservations that are not over
 * @param decay how usage fades
 * @param charged whether somebody is charged for what jobs use
 * @param looked whether somebody asks what jobs hold on a node; the scheduler counts by itself
 */
record Scene(
    SchedulerView base,
    Settings settings,
    List<PartitionConfig> partitions,
    List<Reservation> reservations,
    Decay decay,
    boolean charged,
    boolean looked) {
  Scene {
    partitions = List.copyOf(partitions);
    reservations = List.copyOf(reservations);
  }

  /** That of a view. */
  static Scene of(SchedulerView base, boolean looked) {
    Settings settings = base.settings();
    return new Scene(
        base,
        settings,
        base.partitions(),
        base.reservations(),
        Decay.of(settings.priority().halfLife()),
        !base.accounts().isUntouched(),
        looked || settings.preempt().type() != PreemptSettings.Type.NONE);
  }

  /** The same with other settings. */
  Scene with(Settings next) {
    boolean counts = looked || next.preempt().type() != PreemptSettings.Type.NONE;
    return new Scene(
        base,
        next,
        partitions,
        reservations,
        Decay.of(next.priority().halfLife()),
        charged,
        counts);
  }

  /** The same with other partitions. */
  Scene with(List<PartitionConfig> next) {
    return new Scene(base, settings, next, reservations, decay, charged, looked);
  }

  /** The same with those reservations. */
  Scene reserving(List<Reservation> next) {
    return new Scene(base, settings, partitions, next, decay, charged, looked);
  }
}
