package io.dure.simulator.twin;

import io.dure.simulator.twin.trace.TraceJob;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a machine has to go through in a replay.
 *
 * @param start where the trace's clock begins
 * @param jobs in the order of their submission
 * @param failures how nodes fail, null if they do not
 */
public record Workload(Instant start, List<TraceJob> jobs, @Nullable FailureModel failures) {
  public Workload {
    jobs = List.copyOf(jobs);
  }
}
