package io.dure.surface.language;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** Rows of words and numbers below each other, in any script. All functions are pure. */
public final class TextTable {
  private TextTable() {}

  /** The first column to the left, numbers to the right; a line for each row. */
  public static List<String> lines(List<List<String>> cells) {
    List<List<String>> rows =
        cells.stream().map(row -> row.stream().map(LocalizedPhrases::plain).toList()).toList();
    int[] widths = new int[rows.isEmpty() ? 0 : rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], LocalizedPhrases.columns(row.get(i)));
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String blanks = " ".repeat(widths[i] - LocalizedPhrases.columns(row.get(i)));
        line.append(i == 0 ? row.get(i) + blanks : "  " + blanks + row.get(i));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  /** GPUs told in thousandths: parts with up to two digits behind the point. */
  public static String gpus(long milli) {
    BigDecimal value = BigDecimal.valueOf(milli, 3).setScale(2, RoundingMode.HALF_UP);
    return value.stripTrailingZeros().toPlainString();
  }
}
