package io.dure.rest.metrics;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.ToLongFunction;

/** Keeps the number of values that a label has within a bound. */
final class BoundedLabels {
  /** The value of the label under which all others are summed. */
  static final String OTHER = "other";

  private BoundedLabels() {}

  /**
   * Those that weigh most, by their names, and the sum of all others under {@link #OTHER}, where
   * what has that name belongs too.
   *
   * @param most how many are kept beside the sum
   * @param weight of what weighs the same, the first by name is kept
   */
  static <T> SortedMap<String, T> of(
      Map<String, T> all, int most, ToLongFunction<T> weight, BinaryOperator<T> sum) {
    Comparator<Map.Entry<String, T>> heavy =
        Comparator.comparingLong(entry -> -weight.applyAsLong(entry.getValue()));
    List<Map.Entry<String, T>> ordered = new ArrayList<>(all.entrySet());
    ordered.sort(heavy.thenComparing(Map.Entry::getKey));
    SortedMap<String, T> kept = new TreeMap<>();
    int left = most;
    for (Map.Entry<String, T> entry : ordered) {
      if (left > 0 && !entry.getKey().equals(OTHER)) {
        kept.put(entry.getKey(), entry.getValue());
        left--;
      } else {
        kept.merge(OTHER, entry.getValue(), sum);
      }
    }
    return kept;
  }
}
