package io.dure.scheduler;

import io.dure.model.collection.IntMap;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Placement;
import io.dure.model.command.Preemption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one pass of the scheduler proposes and found out.
 *
 * @param starts the jobs to start, in the order in which they were considered
 * @param verdicts for each pending record that was examined and of which something still waits, by
 *     job id; records that the pass did not reach are left out
 * @param unfinished whether another pass has promises to make or to look at again even if nothing
 *     changes
 * @param preemptions jobs to preempt, by the job that they are preempted for
 * @param wakes when a plan may say something else although nothing has changed: a job need no
 *     longer wait for its switches, a reservation begins or ends; null for at no time that is known
 * @param reserved the starts that were reserved for overdue jobs, or moved to an earlier time,
 *     seconds since 1970, by job id
 */
public record SchedulingPlan(
    List<Placement> starts,
    IntMap<PendingVerdict> verdicts,
    boolean unfinished,
    List<Preemption> preemptions,
    @Nullable Instant wakes,
    Map<Integer, Long> reserved) {

  /** A plan in which no job is preempted, and after which nothing comes by time alone. */
  public SchedulingPlan(
      List<Placement> starts, IntMap<PendingVerdict> verdicts, boolean unfinished) {
    this(starts, verdicts, unfinished, List.of(), null, Map.of());
  }

  /** The same with another time at which to plan again. */
  SchedulingPlan withWakes(@Nullable Instant next) {
    return new SchedulingPlan(starts, verdicts, unfinished, preemptions, next, reserved);
  }
}
