package io.dure.surface.lsf;

import io.dure.surface.value.DigitParser;
import io.dure.surface.value.WallClock;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.Locale;

/** Amounts and times as LSF writes them. All functions are pure. */
final class LsfQuantity {
  private static final long MOST = 1L << 40;
  private static final int MINUTES_A_DAY = 1440;
  private static final String UNITS = "KMGTP";

  private LsfQuantity() {}

  /** A limit as {@code --time} takes it, from {@code [hours:]minutes[/host]}. */
  static String limit(String text) throws LsfFault {
    int slash = text.indexOf('/');
    String[] parts = (slash < 0 ? text : text.substring(0, slash)).split(":", -1);
    long minutes = 0;
    for (String part : parts) {
      minutes = minutes * 60 + number(text, part);
    }
    if (parts.length > 2) {
      throw new LsfFault(text + ": Bad RUNLIMIT");
    }
    return String.format(
        Locale.ROOT, "%d-%02d:%02d:00", minutes / MINUTES_A_DAY, minutes / 60 % 24, minutes % 60);
  }

  /** A size in MiB, rounded up. */
  static long mib(String text, char usualUnit) throws LsfFault {
    int end = 0;
    while (end < text.length()
        && (Character.isDigit(text.charAt(end)) || text.charAt(end) == '.')) {
      end++;
    }
    char unit = end == text.length() ? usualUnit : Character.toUpperCase(text.charAt(end));
    int place = UNITS.indexOf(unit);
    if (end == 0 || place < 0) {
      throw new LsfFault(text + ": Bad memory limit");
    }
    try {
      double kib = Double.parseDouble(text.substring(0, end)) * Math.pow(1024, place);
      return (long) Math.ceil(kib / 1024);
    } catch (NumberFormatException e) {
      throw new LsfFault(text + ": Bad memory limit");
    }
  }

  static long number(String all, String part) throws LsfFault {
    long value = DigitParser.parse(part.strip(), MOST);
    if (value < 0) {
      throw new LsfFault(all + ": Bad number");
    }
    return value;
  }

  /** A time as {@code --begin} takes it, from {@code [[[year:]month:]day:]hour:minute}. */
  static String time(String text, WallClock clock) throws LsfFault {
    String[] parts = text.split(":", -1);
    int count = parts.length;
    if (count < 2 || count > 5) {
      throw new LsfFault(text + ": Bad time specification");
    }
    LocalDateTime now = LocalDateTime.ofInstant(clock.now(), clock.zone());
    try {
      LocalDateTime at =
          now.withHour((int) number(text, parts[count - 2]))
              .withMinute((int) number(text, parts[count - 1]))
              .withSecond(0)
              .withNano(0);
      if (count == 2) {
        return (at.isBefore(now) ? at.plusDays(1) : at).toString();
      }
      int day = (int) number(text, parts[count - 3]);
      if (count == 3) {
        at = at.withDayOfMonth(day);
        return (at.isBefore(now) ? at.plusMonths(1) : at).toString();
      }
      at = at.withDayOfMonth(1).withMonth((int) number(text, parts[count - 4])).withDayOfMonth(day);
      if (count == 4) {
        return (at.isBefore(now) ? at.plusYears(1) : at).toString();
      }
      return at.withYear((int) number(text, parts[0])).toString();
    } catch (DateTimeException e) {
      throw new LsfFault(text + ": Bad time specification");
    }
  }
}
