package io.dure.simulator.twin;

import io.dure.core.scheduler.TaskGate;
import io.dure.core.scheduler.plan.Planner;
import io.dure.core.scheduler.plan.PlannerOptions;

/** The cluster's own scheduler, told how to overtake. */
final class Engines {
  private Engines() {}

  /** A scheduler for one replay. */
  static Engine of(Policy policy) {
    PlannerOptions easy = PlannerOptions.easy();
    Planner planner =
        switch (policy.backfill()) {
          case NONE -> new Planner(easy.withBackfill(false));
          case EASY -> new Planner(easy);
          case SJBF -> new Planner(easy.withTail(PlannerOptions.Tail.SHORTEST));
          case CONSERVATIVE -> new Planner(easy.withBookings(Integer.MAX_VALUE, Integer.MAX_VALUE));
          case CONF -> new Planner();
        };
    return (view, now) -> planner.plan(view, now, TaskGate.OPEN);
  }
}
