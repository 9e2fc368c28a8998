package io.dure.surface.print;

/** Lengths of time as listings print them. */
public final class ElapsedTimeFormat {

  /** The text for a time without limit. */
  public static final String UNLIMITED = "UNLIMITED";

  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final long YEAR = 365 * DAY;

  private ElapsedTimeFormat() {}

  /**
   * The short form of the queue and node listings: {@code M:SS}, {@code H:MM:SS}, {@code
   * D-HH:MM:SS}; what is negative or longer than a year is {@code INVALID}.
   */
  public static String compact(long seconds) {
    if (seconds < 0 || seconds > YEAR) {
      return "INVALID";
    }
    StringBuilder text = new StringBuilder(12);
    long days = seconds / DAY;
    long hours = seconds / HOUR % 24;
    long minutes = seconds / MINUTE % 60;
    if (days > 0) {
      text.append(days).append('-');
      twoDigits(text, hours).append(':');
      twoDigits(text, minutes);
    } else if (hours > 0) {
      text.append(hours).append(':');
      twoDigits(text, minutes);
    } else {
      text.append(minutes);
    }
    text.append(':');
    return twoDigits(text, seconds % 60).toString();
  }

  /** The full form of records: {@code [D-]HH:MM:SS}; what is negative is {@code INVALID}. */
  public static String full(long seconds) {
    if (seconds < 0) {
      return "INVALID";
    }
    StringBuilder text = new StringBuilder(12);
    long days = seconds / DAY;
    if (days > 0) {
      text.append(days).append('-');
    }
    twoDigits(text, seconds / HOUR % 24).append(':');
    twoDigits(text, seconds / MINUTE % 60).append(':');
    return twoDigits(text, seconds % 60).toString();
  }

  static StringBuilder twoDigits(StringBuilder to, long value) {
    if (value < 10) {
      to.append('0');
    }
    return to.append(value);
  }
}
