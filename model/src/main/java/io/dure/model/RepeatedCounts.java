package io.dure.model;

import java.util.List;

/** Counts of nodes one after the other, as Slurm writes them: {@code 72(x2),36}. */
public final class RepeatedCounts {
  private RepeatedCounts() {}

  /** The text of the counts. */
  public static String text(List<Integer> counts) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (at < counts.size()) {
      int end = at + 1;
      while (end < counts.size() && counts.get(end).equals(counts.get(at))) {
        end++;
      }
      text.append(text.isEmpty() ? "" : ",").append(counts.get(at));
      if (end - at > 1) {
        text.append("(x").append(end - at).append(')');
      }
      at = end;
    }
    return text.toString();
  }
}
