package io.dure.twin.report;

import java.util.Arrays;
import java.util.List;

/**
 * A line of a plot.
 *
 * @param name for the legend
 * @param values evenly spaced; {@link Double#NaN} leaves a gap
 */
public record PlotCurve(String name, List<Double> values) {
  /** A line with these values. */
  public static PlotCurve of(String name, double[] values) {
    return new PlotCurve(name, Arrays.stream(values).boxed().toList());
  }
}
