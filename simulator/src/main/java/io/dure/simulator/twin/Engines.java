package io.dure.simulator.twin;

import io.dure.core.scheduler.TaskGate;
import io.dure.core.scheduler.plan.Planner;
import io.dure.core.scheduler.plan.PlannerOptions;

/** The cluster's own scheduler, told how to overtake. */
public final class Engines {
  private Engines() {}

  /** A scheduler for one replay. */
  public static Engine of(Policy policy) {
    PlannerOptions easy = PlannerOptions.easy();
    Planner planner =
        new Planner(
            switch (policy.backfill()) {
              case NONE -> easy.withBackfill(false);
              case EASY -> easy;
              case SJBF -> easy.withTail(PlannerOptions.Tail.SHORTEST);
              case CONSERVATIVE -> easy.withBookings(Integer.MAX_VALUE, Integer.MAX_VALUE);
            });
    return (view, now) -> planner.plan(view, now, TaskGate.OPEN);
  }
}
