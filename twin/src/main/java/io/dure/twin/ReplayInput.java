package io.dure.twin;

import io.dure.model.accounting.AccountingTree;
import io.dure.twin.nodefailure.NodeFailureModel;
import io.dure.twin.trace.InitialState;
import io.dure.twin.trace.TraceJob;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a machine has to go through in a replay.
 *
 * @param start where the trace's clock begins
 * @param jobs in the order of their submission
 * @param failures how nodes fail, null if they do not
 * @param accounts accounts that jobs are charged to, null where they do not matter
 * @param beginning what runs and waits already, which the first jobs are; null for nothing
 */
public record ReplayInput(
    Instant start,
    List<TraceJob> jobs,
    @Nullable NodeFailureModel failures,
    @Nullable AccountingTree accounts,
    @Nullable InitialState beginning) {
  public ReplayInput {
    jobs = List.copyOf(jobs);
  }

  /** One that begins on an empty machine. */
  public ReplayInput(
      Instant start,
      List<TraceJob> jobs,
      @Nullable NodeFailureModel failures,
      @Nullable AccountingTree accounts) {
    this(start, jobs, failures, accounts, null);
  }

  /** The same without accounts. */
  public ReplayInput(Instant start, List<TraceJob> jobs, @Nullable NodeFailureModel failures) {
    this(start, jobs, failures, null, null);
  }
}
