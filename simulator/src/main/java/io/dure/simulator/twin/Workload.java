package io.dure.simulator.twin;

import io.dure.core.accounting.AccountingTree;
import io.dure.simulator.twin.failure.FailureModel;
import io.dure.simulator.twin.trace.Beginning;
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
 * @param accounts whom jobs are charged to, null where nobody looks at it
 * @param beginning what runs and waits already, which the first jobs are; null for nothing
 */
public record Workload(
    Instant start,
    List<TraceJob> jobs,
    @Nullable FailureModel failures,
    @Nullable AccountingTree accounts,
    @Nullable Beginning beginning) {
  public Workload {
    jobs = List.copyOf(jobs);
  }

  /** One that begins on an empty machine. */
  public Workload(
      Instant start,
      List<TraceJob> jobs,
      @Nullable FailureModel failures,
      @Nullable AccountingTree accounts) {
    this(start, jobs, failures, accounts, null);
  }

  /** The same without accounts. */
  public Workload(Instant start, List<TraceJob> jobs, @Nullable FailureModel failures) {
    this(start, jobs, failures, null, null);
  }
}
