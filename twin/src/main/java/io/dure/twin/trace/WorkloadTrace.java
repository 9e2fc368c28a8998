package io.dure.twin.trace;

import io.dure.model.accounting.AccountingTree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a log.
 *
 * @param name the file's name
 * @param start where its clock begins; ages of the trace are counted from here
 * @param jobs in the order of their submission
 * @param processors how many processors (or whole nodes) the log says its machine has; null where
 *     it does not say
 * @param accounts accounts that its jobs were charged to, null where it does not say
 * @param skipped what was passed over or put in order while reading, by cause
 */
public record WorkloadTrace(
    String name,
    Instant start,
    List<TraceJob> jobs,
    @Nullable Integer processors,
    @Nullable AccountingTree accounts,
    List<SkippedRecords> skipped) {
  public WorkloadTrace {
    jobs = List.copyOf(jobs);
    skipped = List.copyOf(skipped);
  }

  /** A log that does not name the accounts of its jobs. */
  public WorkloadTrace(
      String name,
      Instant start,
      List<TraceJob> jobs,
      @Nullable Integer processors,
      List<SkippedRecords> skipped) {
    this(name, start, jobs, processors, null, skipped);
  }

  /** The same with more that was passed over. */
  public WorkloadTrace skipping(List<SkippedRecords> more) {
    List<SkippedRecords> all = new ArrayList<>(skipped);
    all.addAll(more);
    return new WorkloadTrace(name, start, jobs, processors, accounts, all);
  }
}
