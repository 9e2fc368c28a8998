package io.dure.twin.trace;

import org.jspecify.annotations.Nullable;

/**
 * The columns of a record of the Standard Workload Format that are used; -1 where the log does not
 * say.
 *
 * @param line its line, from 1
 * @param number column 1
 * @param submitSecond column 2
 * @param runSeconds column 4
 * @param processors column 8, or 5 where that says nothing
 * @param limitSeconds column 9
 * @param user column 12
 */
record SwfRecord(
    int line,
    long number,
    long submitSecond,
    long runSeconds,
    long processors,
    long limitSeconds,
    long user) {
  private static final int COLUMNS = 18;

  /** What is wrong with a line. */
  record ParseError(int column, String problem) {}

  /** What a line says: a record, or what is wrong with it. */
  record Reading(@Nullable SwfRecord record, @Nullable ParseError wrong) {}

  static Reading of(int line, String text) {
    long[] values = new long[COLUMNS];
    int at = 0;
    int column = 0;
    while (at < text.length() && column < COLUMNS) {
      int end = at;
      while (end < text.length() && !isBlank(text.charAt(end))) {
        end++;
      }
      String word = text.substring(at, end);
      Long value = number(word);
      if (value == null) {
        return new Reading(null, new ParseError(column + 1, "not a number: " + shortened(word)));
      }
      values[column++] = value;
      at = end;
      while (at < text.length() && isBlank(text.charAt(at))) {
        at++;
      }
    }
    if (column < COLUMNS) {
      return new Reading(null, new ParseError(column + 1, "the column is missing"));
    }
    long processors = values[7] > 0 ? values[7] : values[4];
    return new Reading(
        new SwfRecord(line, values[0], values[1], values[3], processors, values[8], values[11]),
        null);
  }

  private static boolean isBlank(char letter) {
    return letter == ' ' || letter == '\t';
  }

  private static String shortened(String word) {
    return word.length() <= 20 ? word : word.substring(0, 20) + "...";
  }

  /** Some logs write seconds with a fraction, which is cut off. */
  private static @Nullable Long number(String word) {
    try {
      if (word.indexOf('.') >= 0) {
        return fraction(word);
      }
      return Long.parseLong(word);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Long fraction(String word) {
    double value = Double.parseDouble(word);
    return Math.abs(value) < 1e15 ? (long) Math.floor(value) : null;
  }
}
