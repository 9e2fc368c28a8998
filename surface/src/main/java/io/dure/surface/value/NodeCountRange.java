package io.dure.surface.value;

import io.dure.surface.message.CommandException;

/**
 * A number of nodes as {@code --nodes} takes it: {@code 2}, {@code 2-4}, {@code 4K}.
 *
 * @param min the least number, at least 1
 * @param max the greatest number, at least {@code min}
 */
public record NodeCountRange(int min, int max) {

  /**
   * Reads a number or a range.
   *
   * @throws CommandException if the text is neither, or the range is turned round
   */
  public static NodeCountRange parse(String text) throws CommandException {
    int dash = text.indexOf('-');
    String first = dash < 0 ? text : text.substring(0, dash);
    String last = text.substring(dash + 1);
    long min = number(first);
    long max = dash < 0 ? min : number(last);
    // As in Slurm what is missing behind the dash counts as -1.
    boolean open = dash > 0 && last.isEmpty();
    if (min < 1 || (max < 1 && !open)) {
      String wrong = min < 1 ? text : last;
      throw CommandException.error("\"" + wrong + "\" is not a valid node count");
    }
    if (max < min) {
      throw CommandException.error(
          "Maximum node count " + max + " is less than minimum node count " + min);
    }
    return new NodeCountRange((int) min, (int) max);
  }

  private static long number(String text) {
    if (text.isEmpty()) {
      return -1;
    }
    int shift =
        switch (text.charAt(text.length() - 1)) {
          case 'k', 'K' -> 10;
          case 'm', 'M' -> 20;
          default -> 0;
        };
    String digits = shift == 0 ? text : text.substring(0, text.length() - 1);
    long value = DigitParser.parse(digits, Integer.MAX_VALUE >> shift);
    return value < 0 ? -1 : value << shift;
  }
}
