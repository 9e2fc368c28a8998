package io.dure.simulator.twin.trace;

import io.dure.core.controller.ClusterState;
import io.dure.core.model.Job;
import java.time.Instant;
import java.util.List;

/**
 * A cluster in the middle of its work.
 *
 * @param at when that is
 * @param state its nodes, rules, accounts, and what was used and ran before
 * @param jobs those that run or wait, in the order of their numbers
 */
public record Beginning(Instant at, ClusterState state, List<Beginning.Begun> jobs) {
  public Beginning {
    jobs = List.copyOf(jobs);
  }

  /**
   * A job that runs or waits.
   *
   * @param job as a trace has it; its origin bears the number that others know it by
   * @param record as the controller has it
   */
  public record Begun(TraceJob job, Job record) {}
}
