package io.dure.core.scheduler;

import java.time.Instant;

/**
 * Says which pending jobs start now and why the others wait. Jobs are considered by priority tier,
 * priority, age and id. The first job of a partition that does not fit reserves the earliest time
 * at which it will (if every job runs to its limit); with backfill, jobs behind it start only if
 * they do not delay it (EASY), without backfill none behind it starts (FIFO).
 */
public final class Scheduler {
  private Scheduler() {}

  /** A full pass: every job is considered. */
  public static Plan schedule(SchedulerView view, Instant now) {
    return schedule(view, now, Integer.MAX_VALUE, TaskGate.OPEN);
  }

  /**
   * A pass that considers only the first jobs of the queue. A function of its arguments alone: any
   * thread may call it.
   *
   * @param depth how many jobs (a job counts once for each of its partitions) it considers at most;
   *     jobs that are not eligible do not count
   * @param gate tells which waiting tasks of arrays may start
   */
  public static Plan schedule(SchedulerView view, Instant now, int depth, TaskGate gate) {
    return new Pass(view, now, gate).run(depth);
  }
}
