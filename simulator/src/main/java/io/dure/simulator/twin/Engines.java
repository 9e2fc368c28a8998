package io.dure.simulator.twin;

import io.dure.core.config.Settings;
import io.dure.core.scheduler.plan.Order;
import io.dure.core.scheduler.plan.Planner;
import io.dure.core.scheduler.plan.PlannerOptions;
import io.dure.core.scheduler.plan.TaskGate;

/** The cluster's own scheduler, told how to overtake. */
final class Engines {
  private Engines() {}

  /** A scheduler for one replay. */
  static Engine of(Policy policy, Settings settings) {
    Order order =
        policy.order() == io.dure.simulator.twin.Order.MULTIFACTOR
            ? Order.multifactor(settings.priority().calcPeriod())
            : Order.PRIORITY;
    PlannerOptions easy = PlannerOptions.easy().withOrder(order);
    Planner planner =
        switch (policy.backfill()) {
          case NONE -> new Planner(easy.withBackfill(false));
          case EASY -> new Planner(easy);
          case SJBF -> new Planner(easy.withTail(PlannerOptions.Tail.SHORTEST));
          case CONSERVATIVE -> new Planner(easy.withBookings(Integer.MAX_VALUE, Integer.MAX_VALUE));
          case CONF -> new Planner(PlannerOptions.of(settings).withOrder(order));
        };
    return (view, now) -> planner.plan(view, now, TaskGate.OPEN);
  }
}
