package io.dure.simulator.twin;

import io.dure.core.config.Settings;
import io.dure.core.config.policy.PolicySettings;
import io.dure.core.scheduler.Estimates;
import io.dure.core.scheduler.plan.Planner;
import io.dure.core.scheduler.plan.PlannerOptions;
import io.dure.core.scheduler.plan.TaskGate;
import io.dure.core.scheduler.policy.Order;
import io.dure.core.scheduler.policy.Predicted;

/** The cluster's own scheduler, told how to overtake. */
public final class Engines {
  private Engines() {}

  /** What a pass looks at for promises where it is not to take long. */
  private static final long HURRIED = 1_500;

  /** A scheduler for one replay. */
  public static Engine of(Policy policy, Settings settings) {
    return of(policy, settings, false);
  }

  /**
   * A scheduler for one replay.
   *
   * @param hurried whether it makes fewer promises anew in each pass than a controller does
   */
  static Engine of(Policy policy, Settings settings, boolean hurried) {
    PlannerOptions options = options(policy, settings);
    Planner planner = new Planner(hurried ? options.withEffort(HURRIED) : options);
    return (view, now) -> planner.plan(view, now, TaskGate.OPEN);
  }

  /** How it plans. */
  public static PlannerOptions options(Policy policy, Settings settings) {
    PolicySettings asked = settings.scheduling().policy();
    PolicySettings own = asked == null ? PolicySettings.USUAL : asked;
    Order order =
        switch (policy.order()) {
          case MULTIFACTOR -> Order.multifactor(settings.priority().calcPeriod());
          case DURE -> Order.bySize(own);
          case FCFS, SJF, SAF, F1, F4, WFP3 -> Order.PRIORITY;
        };
    Estimates estimates =
        policy.estimates() == io.dure.simulator.twin.Estimates.PREDICTED
            ? Predicted.unknown()
            : Estimates.LIMITS;
    PlannerOptions conf =
        policy.order() == io.dure.simulator.twin.Order.DURE
            ? PlannerOptions.own(own, settings.scheduling().backfills())
            : PlannerOptions.of(settings);
    PlannerOptions easy = PlannerOptions.easy();
    PlannerOptions options =
        switch (policy.backfill()) {
          case NONE -> easy.withBackfill(false);
          case EASY -> easy;
          case SJBF -> easy.withTail(PlannerOptions.Tail.SHORTEST);
          case CONSERVATIVE -> easy.withBookings(Integer.MAX_VALUE, Integer.MAX_VALUE);
          case CONF -> conf;
        };
    return options.withOrder(order).withEstimates(estimates);
  }
}
