package io.dure.bench.publishedresults;

import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.report.TraceWindow;
import io.dure.twin.trace.SwfReadOptions.Cleaning;
import java.util.List;

/**
 * A replay of which numbers were published.
 *
 * @param file the log's name
 * @param cleaning which of its jobs are left out
 * @param windows its parts, each replayed alone; empty for all of it
 * @param policy how
 * @param values what was published
 */
public record PublishedReplay(
    String file,
    Cleaning cleaning,
    List<TraceWindow> windows,
    ReplayPolicy policy,
    List<Value> values) {
  public PublishedReplay {
    windows = List.copyOf(windows);
    values = List.copyOf(values);
  }

  /**
   * A number that was published.
   *
   * @param figure of what
   * @param value the number
   * @param tolerance how far another may be from it, as a part of it
   */
  public record Value(ReplayMetric figure, double value, double tolerance) {
    /** Whether another number is near enough. */
    public boolean agrees(double other) {
      return Math.abs(other - value) <= tolerance * value;
    }
  }
}
