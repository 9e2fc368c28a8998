package io.dure.surface.print;

import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Date;
import java.util.Locale;
import java.util.TimeZone;

/** The conversions of C's {@code strftime} in the C locale. */
final class Strftime {

  static final String[] DAYS = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
  };
  static final String[] MONTHS = {
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December"
  };

  private Strftime() {}

  /** The moment in the pattern; a conversion that is not known is copied as it stands. */
  static String format(String pattern, ZonedDateTime time) {
    StringBuilder text = new StringBuilder(pattern.length() + 16);
    for (int i = 0; i < pattern.length(); i++) {
      char letter = pattern.charAt(i);
      if (letter != '%' || i + 1 >= pattern.length()) {
        text.append(letter);
        continue;
      }
      char conversion = pattern.charAt(++i);
      if (!date(text, conversion, time) && !clock(text, conversion, time)) {
        text.append('%').append(conversion);
      }
    }
    return text.toString();
  }

  private static boolean date(StringBuilder text, char conversion, ZonedDateTime time) {
    String day = DAYS[time.getDayOfWeek().getValue() - 1];
    String month = MONTHS[time.getMonthValue() - 1];
    switch (conversion) {
      case 'a' -> text.append(day, 0, 3);
      case 'A' -> text.append(day);
      case 'b', 'h' -> text.append(month, 0, 3);
      case 'B' -> text.append(month);
      case 'c' -> text.append(format("%a %b %e %H:%M:%S %Y", time));
      case 'C' -> pad(text, time.getYear() / 100, 2, '0');
      case 'd' -> pad(text, time.getDayOfMonth(), 2, '0');
      case 'D', 'x' -> text.append(format("%m/%d/%y", time));
      case 'e' -> pad(text, time.getDayOfMonth(), 2, ' ');
      case 'F' -> text.append(format("%Y-%m-%d", time));
      case 'G' -> text.append(time.get(IsoFields.WEEK_BASED_YEAR));
      case 'g' -> pad(text, time.get(IsoFields.WEEK_BASED_YEAR) % 100, 2, '0');
      case 'j' -> pad(text, time.getDayOfYear(), 3, '0');
      case 'm' -> pad(text, time.getMonthValue(), 2, '0');
      case 'u' -> text.append(time.getDayOfWeek().getValue());
      case 'U' -> pad(text, week(time, time.getDayOfWeek().getValue() % 7), 2, '0');
      case 'V' -> pad(text, time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2, '0');
      case 'w' -> text.append(time.getDayOfWeek().getValue() % 7);
      case 'W' -> pad(text, week(time, time.getDayOfWeek().getValue() - 1), 2, '0');
      case 'y' -> pad(text, time.getYear() % 100, 2, '0');
      case 'Y' -> text.append(time.getYear());
      default -> {
        return false;
      }
    }
    return true;
  }

  private static boolean clock(StringBuilder text, char conversion, ZonedDateTime time) {
    switch (conversion) {
      case 'H' -> pad(text, time.getHour(), 2, '0');
      case 'I' -> pad(text, time.get(ChronoField.CLOCK_HOUR_OF_AMPM), 2, '0');
      case 'k' -> pad(text, time.getHour(), 2, ' ');
      case 'l' -> pad(text, time.get(ChronoField.CLOCK_HOUR_OF_AMPM), 2, ' ');
      case 'M' -> pad(text, time.getMinute(), 2, '0');
      case 'n' -> text.append('\n');
      case 'p' -> text.append(time.getHour() < 12 ? "AM" : "PM");
      case 'P' -> text.append(time.getHour() < 12 ? "am" : "pm");
      case 'r' -> text.append(format("%I:%M:%S %p", time));
      case 'R' -> text.append(format("%H:%M", time));
      case 's' -> text.append(time.toEpochSecond());
      case 'S' -> pad(text, time.getSecond(), 2, '0');
      case 't' -> text.append('\t');
      case 'T', 'X' -> text.append(format("%H:%M:%S", time));
      case 'z' -> offset(text, time.getOffset().getTotalSeconds());
      case 'Z' -> text.append(zoneName(time));
      case '%' -> text.append('%');
      default -> {
        return false;
      }
    }
    return true;
  }

  private static int week(ZonedDateTime time, int daysSinceWeekStart) {
    return (time.getDayOfYear() + 6 - daysSinceWeekStart) / 7;
  }

  private static void offset(StringBuilder text, int seconds) {
    int minutes = Math.abs(seconds) / 60;
    text.append(seconds < 0 ? '-' : '+');
    pad(text, minutes / 60, 2, '0');
    pad(text, minutes % 60, 2, '0');
  }

  private static String zoneName(ZonedDateTime time) {
    TimeZone zone = TimeZone.getTimeZone(time.getZone());
    boolean summer = zone.inDaylightTime(Date.from(time.toInstant()));
    return zone.getDisplayName(summer, TimeZone.SHORT, Locale.ROOT);
  }

  private static void pad(StringBuilder text, int value, int width, char fill) {
    String digits = Integer.toString(value);
    text.repeat(fill, Math.max(0, width - digits.length())).append(digits);
  }
}
