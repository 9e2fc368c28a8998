package io.dure.twin.trace;

import io.dure.cluster.ClusterState;
import io.dure.model.job.Job;
import java.time.Instant;
import java.util.List;

/**
 * A cluster in the middle of its work.
 *
 * @param at when that is
 * @param state its nodes, rules, accounts, and what was used and ran before
 * @param jobs those that run or wait, in the order of their numbers
 */
public record InitialState(Instant at, ClusterState state, List<InitialState.InitialJob> jobs) {
  public InitialState {
    jobs = List.copyOf(jobs);
  }

  /**
   * A job that runs or waits.
   *
   * @param job as a trace has it; its origin bears the number that others know it by
   * @param record as the controller has it
   */
  public record InitialJob(TraceJob job, Job record) {}
}
