package io.dure.core.scheduler;

import io.dure.core.collection.IntMap;
import java.util.List;

/**
 * What one pass of the scheduler proposes and found out.
 *
 * @param starts the jobs to start, in the order in which they were considered
 * @param verdicts for each pending record that was examined and of which something still waits, by
 *     job id; records that the pass did not reach are left out
 * @param preemptions jobs that are to make room for others, by whom they make room for
 */
public record Plan(List<Placement> starts, IntMap<Verdict> verdicts, List<Preemption> preemptions) {

  /** A plan in which nobody makes room. */
  public Plan(List<Placement> starts, IntMap<Verdict> verdicts) {
    this(starts, verdicts, List.of());
  }
}
