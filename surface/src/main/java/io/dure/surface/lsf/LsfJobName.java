package io.dure.surface.lsf;

/**
 * A name with the array behind it, {@code render[1-100]%5}.
 *
 * @param name without the array
 * @param array its indices and how many run at once, as {@code --array} takes them; empty for none
 */
public record LsfJobName(String name, String array) {
  /** The name that a text means. */
  public static LsfJobName of(String text) {
    int open = text.indexOf('[');
    int close = text.indexOf(']', open);
    return open < 0 || close < 0
        ? new LsfJobName(text, "")
        : new LsfJobName(
            text.substring(0, open),
            text.substring(open + 1, close).replace(" ", "") + text.substring(close + 1));
  }

  /** The job that {@code 12[3]} means, {@code 12_3}. */
  public static String job(String text) {
    LsfJobName parts = of(text);
    return parts.array().isEmpty() ? text : parts.name() + "_" + parts.array();
  }
}
