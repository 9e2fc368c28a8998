package io.dure.surface.value;

import io.dure.model.request.TimeLimit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Lengths of time as users type them: {@code minutes}, {@code minutes:seconds}, {@code
 * hours:minutes:seconds}, {@code days-}, {@code days-hours}, {@code days-hours:minutes}, {@code
 * days-hours:minutes:seconds}, {@code UNLIMITED}, {@code INFINITE}, {@code -1}.
 */
public final class TimeLimitParser {

  private static final long MAX_PART = 0xffff_fffeL;

  private TimeLimitParser() {}

  /**
   * The limit in whole minutes, seconds rounded up; zero asks for no limit at all.
   *
   * @return null if the text is no length of time
   */
  public static @Nullable TimeLimit parse(String text) {
    if (isUnlimited(text)) {
      return new TimeLimit.Unlimited();
    }
    Duration duration = parseDuration(text);
    if (duration == null) {
      return null;
    }
    long minutes = (duration.toSeconds() + 59) / 60;
    if (minutes > MAX_PART) {
      return null;
    }
    return minutes == 0 ? new TimeLimit.Unlimited() : TimeLimit.minutes(minutes);
  }

  /** The length of time to the second, or null if the text is none or names no bound. */
  public static @Nullable Duration parseDuration(String text) {
    int dash = text.indexOf('-');
    long days = 0;
    String rest = text;
    if (dash >= 0) {
      days = DigitParser.parse(text.substring(0, dash), MAX_PART);
      rest = text.substring(dash + 1);
      if (days < 0) {
        return null;
      }
    }
    long[] parts = new long[3];
    boolean daysAlone = dash >= 0 && rest.isEmpty();
    int count = daysAlone ? 1 : split(rest, parts);
    if (count == 0) {
      return null;
    }
    long seconds;
    if (dash >= 0) {
      seconds = (days * 24 + parts[0]) * 3600 + parts[1] * 60 + parts[2];
    } else if (count == 3) {
      seconds = parts[0] * 3600 + parts[1] * 60 + parts[2];
    } else {
      seconds = parts[0] * 60 + parts[1];
    }
    return Duration.ofSeconds(seconds);
  }

  private static boolean isUnlimited(String text) {
    return text.equals("-1")
        || text.equalsIgnoreCase("UNLIMITED")
        || text.equalsIgnoreCase("INFINITE");
  }

  /** Reads one to three numbers with colons between them; returns how many, 0 if it is not so. */
  private static int split(String text, long[] parts) {
    int count = 0;
    int start = 0;
    while (start <= text.length()) {
      int colon = text.indexOf(':', start);
      int end = colon < 0 ? text.length() : colon;
      long value = DigitParser.parse(text.substring(start, end), MAX_PART);
      if (value < 0 || count == parts.length) {
        return 0;
      }
      parts[count++] = value;
      start = end + 1;
    }
    return count;
  }
}
