package io.dure.surface.print;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a line of a table, read from {@code -o} or {@code -O}.
 *
 * @param parts the parts from left to right
 * @param unknown what named no column, in order; listings report each and go on
 */
public record TableFormat<C extends TableColumn>(List<FormatPart<C>> parts, List<String> unknown) {

  /** The width of a column named in {@code -O} without one. */
  private static final int DEFAULT_WIDTH = 20;

  /** A column that is asked to be wider is as wide as its values. */
  private static final int MAX_WIDTH = 65_536;

  /** Columns that would make a line wider are as wide as their values. */
  private static final int MAX_LINE = 1_000_000;

  /** Reads letters as below; {@code %all} is every column with a letter, set apart by bars. */
  public static <C extends TableColumn> TableFormat<C> ofLetters(String text, List<C> columns) {
    return text.equals("%all") ? allLetters(columns) : ofLettersOnly(text, columns);
  }

  /**
   * Reads {@code "%.18i %9P %R"}. Text is copied as it stands; a letter that names no column stays
   * in the line as it was typed.
   */
  public static <C extends TableColumn> TableFormat<C> ofLettersOnly(String text, List<C> columns) {
    List<FormatPart<C>> parts = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    int percent = text.indexOf('%');
    int end = percent < 0 ? text.length() : percent;
    if (end > 0) {
      parts.add(new FormatPart.Literal<>(text.substring(0, end)));
    }
    while (end < text.length()) {
      int start = end;
      int following = text.indexOf('%', start + 1);
      end = following < 0 ? text.length() : following;
      addLetter(text.substring(start, end), columns, parts, unknown);
    }
    return new TableFormat<>(bounded(parts), unknown);
  }

  private static <C extends TableColumn> TableFormat<C> allLetters(List<C> columns) {
    List<FormatPart<C>> parts = new ArrayList<>();
    for (C column : columns) {
      if (column.names().letter() != TableColumn.NO_LETTER) {
        if (!parts.isEmpty()) {
          parts.add(new FormatPart.Literal<>("|"));
        }
        parts.add(new FormatPart.Field<>(column, 0, false, ""));
      }
    }
    return new TableFormat<>(parts, List.of());
  }

  private static <C extends TableColumn> void addLetter(
      String token, List<C> columns, List<FormatPart<C>> parts, List<String> unknown) {
    int at = 1;
    boolean right = at < token.length() && token.charAt(at) == '.';
    if (right) {
      at++;
    }
    int digits = at;
    at = skipDigits(token, at);
    int width = number(token, digits, at);
    if (at >= token.length()) {
      parts.add(new FormatPart.Literal<>(token));
      return;
    }
    char letter = token.charAt(at);
    C column = TableColumn.byLetter(letter, columns);
    if (column != null) {
      parts.add(new FormatPart.Field<>(column, width, right, token.substring(at + 1)));
      return;
    }
    unknown.add(String.valueOf(letter));
    parts.add(new FormatPart.Literal<>(token));
  }

  /**
   * Reads {@code "jobid:.10,name:,state: |"}: the width is 20 where no colon follows the name, and
   * unlimited where no digits follow the colon.
   */
  public static <C extends TableColumn> TableFormat<C> ofNames(String text, List<C> columns) {
    List<FormatPart<C>> parts = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    int start = 0;
    while (start < text.length()) {
      int comma = text.indexOf(',', start);
      int end = comma < 0 ? text.length() : comma;
      if (end > start) {
        addName(text.substring(start, end), columns, parts, unknown);
      }
      start = end + 1;
    }
    return new TableFormat<>(bounded(parts), unknown);
  }

  private static <C extends TableColumn> void addName(
      String token, List<C> columns, List<FormatPart<C>> parts, List<String> unknown) {
    int colon = token.indexOf(':');
    String name = (colon < 0 ? token : token.substring(0, colon)).strip();
    C column = byName(name, columns);
    if (column == null) {
      unknown.add(name);
      return;
    }
    if (colon < 0) {
      parts.add(new FormatPart.Field<>(column, DEFAULT_WIDTH, false, ""));
      return;
    }
    int at = colon + 1;
    boolean right = at < token.length() && token.charAt(at) == '.';
    if (right) {
      at++;
    }
    int digits = at;
    at = skipDigits(token, at);
    int width = number(token, digits, at);
    parts.add(new FormatPart.Field<>(column, width, right, token.substring(at)));
  }

  private static <C extends TableColumn> @Nullable C byName(String name, List<C> columns) {
    for (C column : columns) {
      if (column.names().longName().equalsIgnoreCase(name)) {
        return column;
      }
    }
    return null;
  }

  private static <C extends TableColumn> List<FormatPart<C>> bounded(List<FormatPart<C>> parts) {
    List<FormatPart<C>> bounded = new ArrayList<>(parts.size());
    int line = 0;
    for (FormatPart<C> part : parts) {
      if (part instanceof FormatPart.Field<C> field) {
        boolean fits = line + field.width() <= MAX_LINE;
        line += fits ? field.width() : 0;
        bounded.add(fits ? field : field.unbounded());
      } else {
        bounded.add(part);
      }
    }
    return bounded;
  }

  private static int skipDigits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }

  private static int number(String text, int from, int to) {
    int value = 0;
    for (int i = from; i < to; i++) {
      value = Math.min(value * 10 + (text.charAt(i) - '0'), MAX_WIDTH + 1);
    }
    return value > MAX_WIDTH ? 0 : value;
  }
}
