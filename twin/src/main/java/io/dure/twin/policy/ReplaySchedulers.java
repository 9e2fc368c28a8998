package io.dure.twin.policy;

import io.dure.model.config.ClusterSettings;
import io.dure.model.config.queueorder.PolicySettings;
import io.dure.rules.queueorder.DureQueueOrder;
import io.dure.rules.queueorder.MultifactorOrder;
import io.dure.rules.queueorder.PredictedRunTimes;
import io.dure.rules.queueorder.QueueOrder;
import io.dure.rules.queueorder.RunTimeEstimates;
import io.dure.scheduler.Planner;
import io.dure.scheduler.PlannerOptions;
import io.dure.virtual.VirtualScheduler;

/** The cluster's own scheduler, told how to overtake. */
public final class ReplaySchedulers {
  private ReplaySchedulers() {}

  /** What a pass looks at for promises where it is not to take long. */
  private static final long HURRIED = 1_500;

  /** A scheduler for one replay. */
  public static VirtualScheduler of(ReplayPolicy policy, ClusterSettings settings) {
    return of(policy, settings, false);
  }

  /**
   * A scheduler for one replay.
   *
   * @param hurried whether it makes fewer promises anew in each pass than a controller does
   */
  public static VirtualScheduler of(
      ReplayPolicy policy, ClusterSettings settings, boolean hurried) {
    PlannerOptions options = options(policy, settings);
    Planner planner = new Planner(hurried ? options.withEffort(HURRIED) : options);
    return planner::plan;
  }

  /** How it plans. */
  public static PlannerOptions options(ReplayPolicy policy, ClusterSettings settings) {
    PolicySettings asked = settings.scheduling().policy();
    PolicySettings own = asked == null ? PolicySettings.USUAL : asked;
    QueueOrder order =
        switch (policy.order()) {
          case MULTIFACTOR -> new MultifactorOrder(settings.priority().calcPeriod());
          case DURE -> new DureQueueOrder(own);
          case FCFS, SJF, SAF, F1, F4, WFP3 -> QueueOrder.PRIORITY;
        };
    RunTimeEstimates estimates =
        policy.estimates() == EstimateSource.PREDICTED
            ? PredictedRunTimes.unknown()
            : RunTimeEstimates.LIMITS;
    PlannerOptions conf =
        policy.order() == QueueOrderPolicy.DURE
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
