package io.dure.scheduler;

import io.dure.model.collection.IntMap;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Placement;
import io.dure.model.command.Preemption;
import java.util.List;

/**
 * What one pass of the scheduler proposes and found out.
 *
 * @param starts the jobs to start, in the order in which they were considered
 * @param verdicts for each pending record that was examined and of which something still waits, by
 *     job id; records that the pass did not reach are left out
 * @param unfinished whether another pass has promises to make or to look at again even if nothing
 *     changes
 * @param preemptions jobs to preempt, by the job that they are preempted for
 */
public record SchedulingPlan(
    List<Placement> starts,
    IntMap<PendingVerdict> verdicts,
    boolean unfinished,
    List<Preemption> preemptions) {

  /** A plan in which no job is preempted. */
  public SchedulingPlan(
      List<Placement> starts, IntMap<PendingVerdict> verdicts, boolean unfinished) {
    this(starts, verdicts, unfinished, List.of());
  }
}
