package io.dure.core.scheduler;

import io.dure.core.collection.IntMap;
import java.util.List;

/**
 * What one pass of the scheduler proposes and found out.
 *
 * @param starts the jobs to start, in the order in which they were considered
 * @param verdicts for each pending record that was examined and of which something still waits, by
 *     job id; records that the pass did not reach are left out
 * @param unfinished whether another pass has promises to make or to look at again even if nothing
 *     changes
 * @param preemptions jobs that are to make room for others, by whom they make room for
 */
public record Plan(
    List<Placement> starts,
    IntMap<Verdict> verdicts,
    boolean unfinished,
    List<Preemption> preemptions) {

  /** A plan in which nobody makes room. */
  public Plan(List<Placement> starts, IntMap<Verdict> verdicts, boolean unfinished) {
    this(starts, verdicts, unfinished, List.of());
  }
}
