package io.dure.simulator.twin.published;

import io.dure.simulator.twin.Policy;
import io.dure.simulator.twin.report.Window;
import io.dure.simulator.twin.trace.SwfRules.Cleaning;
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
public record PublishedCase(
    String file, Cleaning cleaning, List<Window> windows, Policy policy, List<Value> values) {
  public PublishedCase {
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
  public record Value(Figure figure, double value, double tolerance) {
    /** Whether another number is near enough. */
    public boolean agrees(double other) {
      return Math.abs(other - value) <= tolerance * value;
    }
  }
}
