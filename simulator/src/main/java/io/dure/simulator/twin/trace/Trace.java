package io.dure.simulator.twin.trace;

import io.dure.core.accounting.AccountingTree;
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
 * @param accounts whom its jobs were charged to, null where it does not say
 * @param skipped what was passed over or put in order while reading, by cause
 */
public record Trace(
    String name,
    Instant start,
    List<TraceJob> jobs,
    @Nullable Integer processors,
    @Nullable AccountingTree accounts,
    List<Skip> skipped) {
  public Trace {
    jobs = List.copyOf(jobs);
    skipped = List.copyOf(skipped);
  }

  /** A log that does not say whom its jobs were charged to. */
  public Trace(
      String name,
      Instant start,
      List<TraceJob> jobs,
      @Nullable Integer processors,
      List<Skip> skipped) {
    this(name, start, jobs, processors, null, skipped);
  }

  /** The same with more that was passed over. */
  public Trace skipping(List<Skip> more) {
    List<Skip> all = new ArrayList<>(skipped);
    all.addAll(more);
    return new Trace(name, start, jobs, processors, accounts, all);
  }
}
