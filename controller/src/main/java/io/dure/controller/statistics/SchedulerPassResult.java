package io.dure.controller.statistics;

import io.dure.model.command.Placement;
import io.dure.scheduler.SchedulingPlan;

/**
 * What a pass of the scheduler did.
 *
 * @param depth jobs of which it found out something
 * @param promised jobs that have to wait and were promised a start, or kept their promise
 * @param started jobs that it started
 * @param backfilled those of them that started ahead of others
 * @param queue jobs that waited
 */
public record SchedulerPassResult(int depth, int promised, int started, int backfilled, int queue) {
  static final SchedulerPassResult NOTHING = new SchedulerPassResult(0, 0, 0, 0, 0);

  /** What a plan came to. */
  public static SchedulerPassResult of(SchedulingPlan plan, int promised, int queue) {
    int backfilled = 0;
    for (Placement start : plan.starts()) {
      backfilled += start.overtakes() ? 1 : 0;
    }
    int started = plan.starts().size();
    return new SchedulerPassResult(
        started + plan.verdicts().size(), promised, started, backfilled, queue);
  }

  /** Jobs for which it looked for a place, now or later. */
  int tried() {
    return started + promised;
  }
}
