package io.dure.host.log;

import java.time.LocalDateTime;

/** Writes times as Slurm's format iso8601_ms does: {@code 2026-11-20T16:01:34.123}. */
final class LogTimestamps {
  private LogTimestamps() {}

  static void append(StringBuilder text, LocalDateTime time) {
    digits(text, time.getYear(), 4);
    text.append('-');
    digits(text, time.getMonthValue(), 2);
    text.append('-');
    digits(text, time.getDayOfMonth(), 2);
    text.append('T');
    digits(text, time.getHour(), 2);
    text.append(':');
    digits(text, time.getMinute(), 2);
    text.append(':');
    digits(text, time.getSecond(), 2);
    text.append('.');
    digits(text, time.getNano() / 1_000_000, 3);
  }

  private static void digits(StringBuilder text, int number, int width) {
    String digits = Integer.toString(number);
    for (int i = digits.length(); i < width; i++) {
      text.append('0');
    }
    text.append(digits);
  }
}
