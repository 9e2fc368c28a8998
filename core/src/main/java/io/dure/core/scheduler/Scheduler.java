package io.dure.core.scheduler;

import io.dure.core.collection.IntMap;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

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
    Plan plan = new Pass(view, now, gate).run(depth);
    return waitsForEnding(view, now) ? withoutStarts(plan) : plan;
  }

  /** CompleteWait: as long as a job has just ended, its nodes are left to become whole again. */
  private static boolean waitsForEnding(SchedulerView view, Instant now) {
    Duration wait = view.settings().jobs().completeWait();
    if (wait.isZero()) {
      return false;
    }
    for (Job job : view.active().values()) {
      if (job.state() instanceof JobState.Completing completing
          && now.isBefore(completing.end().plus(wait))) {
        return true;
      }
    }
    return false;
  }

  private static Plan withoutStarts(Plan plan) {
    IntMap<Verdict> verdicts = plan.verdicts();
    for (Placement start : plan.starts()) {
      verdicts = verdicts.with(start.jobId(), Verdict.of(Reason.RESOURCES));
    }
    return new Plan(List.of(), verdicts);
  }
}
