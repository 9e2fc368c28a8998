package io.dure.surface.value;

import io.dure.surface.message.CommandException;

/** Whole numbers that options take. */
public final class NumberParser {

  private NumberParser() {}

  /**
   * A number from 1 to 2147483647.
   *
   * @param option the option's name with its dashes
   * @throws CommandException if the text is anything else
   */
  public static int positive(String option, String text) throws CommandException {
    return atLeast(1, option, text);
  }

  /** A number from 0 to 2147483647. */
  public static int notNegative(String option, String text) throws CommandException {
    return atLeast(0, option, text);
  }

  private static int atLeast(int least, String option, String text) throws CommandException {
    String digits = text.startsWith("+") ? text.substring(1) : text;
    long value = DigitParser.parse(digits, Integer.MAX_VALUE);
    if (value < least) {
      throw CommandException.error("Invalid numeric value \"" + text + "\" for " + option + ".");
    }
    return (int) value;
  }

  /**
   * The number at the start of the text with its sign, 0 if there is none, as C's {@code strtoll}
   * reads it: what {@code --nice} does.
   */
  public static long leading(String text) {
    String stripped = text.stripLeading();
    boolean signed = stripped.startsWith("-") || stripped.startsWith("+");
    int start = signed ? 1 : 0;
    int end = start;
    while (end < stripped.length() && DigitParser.isDigit(stripped.charAt(end))) {
      end++;
    }
    if (end == start) {
      return 0;
    }
    long value = DigitParser.parse(stripped.substring(start, end), Long.MAX_VALUE);
    long bounded = value < 0 ? Long.MAX_VALUE : value;
    return stripped.startsWith("-") ? -bounded : bounded;
  }
}
