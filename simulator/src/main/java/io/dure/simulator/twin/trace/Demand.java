package io.dure.simulator.twin.trace;

import io.dure.core.model.JobSpec;
import java.time.Duration;

/** What a job of a trace asks for. */
public sealed interface Demand {

  /**
   * A number of processors for a time, which is all that the Standard Workload Format knows.
   *
   * @param count processors, or nodes where the log counts whole nodes; at least 1
   * @param limit the longest run, more than nothing
   */
  record Processors(int count, Duration limit) implements Demand {}

  /**
   * What the arguments of a submission ask for.
   *
   * @param spec as the command would have sent it
   */
  record Submission(JobSpec spec) implements Demand {}
}
