package io.dure.controller.statistics;

import io.dure.core.scheduler.Placement;
import io.dure.core.scheduler.Plan;

/**
 * What a pass of the scheduler did.
 *
 * @param depth jobs of which it found out something
 * @param promised jobs that have to wait and were promised a start, or kept their promise
 * @param started jobs that it started
 * @param backfilled those of them that started ahead of others
 * @param queue jobs that waited
 */
public record PassFound(int depth, int promised, int started, int backfilled, int queue) {
  static final PassFound NOTHING = new PassFound(0, 0, 0, 0, 0);

  /** What a plan came to. */
  public static PassFound of(Plan plan, int promised, int queue) {
    int backfilled = 0;
    for (Placement start : plan.starts()) {
      backfilled += start.overtakes() ? 1 : 0;
    }
    int started = plan.starts().size();
    return new PassFound(started + plan.verdicts().size(), promised, started, backfilled, queue);
  }

  /** Jobs for which it looked for a place, now or later. */
  int tried() {
    return started + promised;
  }
}
