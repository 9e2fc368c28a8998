package io.dure.twin.trace;

import io.dure.model.request.JobSpec;
import java.time.Duration;

/** What a job of a trace asks for. */
public sealed interface TraceJobRequest {

  /**
   * A number of processors for a time, which is all that the Standard Workload Format knows.
   *
   * @param count processors, or nodes where the log counts whole nodes; at least 1
   * @param limit the longest run, more than nothing
   */
  record ProcessorRequest(int count, Duration limit) implements TraceJobRequest {}

  /**
   * What the arguments of a submission ask for.
   *
   * @param spec as the command would have sent it
   */
  record SbatchRequest(JobSpec spec) implements TraceJobRequest {}
}
