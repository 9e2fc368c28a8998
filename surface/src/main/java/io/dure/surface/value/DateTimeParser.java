package io.dure.surface.value;

import io.dure.surface.message.CommandException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Moments as users type them: {@code now+1hour}, {@code 16:00}, {@code tomorrow}, {@code noon},
 * {@code 2026-01-20T12:34:00}, {@code 01/20/26-12:34}. A date and a time may stand together, apart
 * by blanks. For one thread and one text.
 */
public final class DateTimeParser {

  /** Where a time without a date lies when it has gone by today. */
  public enum PastOrFuture {
    /** Tomorrow: beginnings and deadlines. */
    FUTURE,
    /** Today: what reports ask for. */
    PAST
  }

  private static final LocalTime ELEVENSES = LocalTime.of(11, 0);
  private static final LocalTime FIKA = LocalTime.of(15, 0);
  private static final LocalTime TEATIME = LocalTime.of(16, 0);

  private final String text;
  private final Instant now;
  private final ZoneId zone;
  private int at;
  private @Nullable Instant instant;
  private @Nullable LocalDate date;
  private @Nullable LocalTime time;
  private boolean yearNamed = true;

  private DateTimeParser(String text, WallClock clock) {
    this.text = text.toLowerCase(Locale.ROOT);
    this.now = clock.now();
    this.zone = clock.zone();
  }

  /**
   * The moment that the text names.
   *
   * @throws CommandException if it names none; the message says where the trouble starts
   */
  public static Instant parse(String text, WallClock clock, PastOrFuture direction)
      throws CommandException {
    DateTimeParser scan = new DateTimeParser(text, clock);
    int start = 0;
    try {
      scan.skipBlanks();
      do {
        start = scan.at;
        if (!scan.token()) {
          throw invalid(text, start);
        }
        scan.skipBlanks();
      } while (scan.at < text.length());
      return scan.result(direction);
    } catch (DateTimeException | ArithmeticException e) {
      throw invalid(text, start);
    }
  }

  private static CommandException invalid(String text, int position) {
    return CommandException.plain("Invalid time specification (pos=" + position + "): " + text);
  }

  private boolean token() {
    if (at >= text.length()) {
      return false;
    }
    return DigitParser.isDigit(text.charAt(at)) ? number() : word();
  }

  private boolean word() {
    int start = at;
    while (at < text.length() && Character.isLetter(text.charAt(at))) {
      at++;
    }
    String word = text.substring(start, at);
    return switch (word) {
      case "now" -> relative();
      case "uts" -> unixTime();
      case "today" -> setDate(LocalDate.ofInstant(now, zone));
      case "tomorrow" -> setDate(LocalDate.ofInstant(now, zone).plusDays(1));
      case "midnight" -> setTime(LocalTime.MIDNIGHT);
      case "noon" -> setTime(LocalTime.NOON);
      case "elevenses" -> setTime(ELEVENSES);
      case "fika" -> setTime(FIKA);
      case "teatime" -> setTime(TEATIME);
      default -> false;
    };
  }

  private boolean unixTime() {
    long seconds = digits(18);
    if (seconds < 0) {
      return false;
    }
    instant = Instant.ofEpochSecond(seconds);
    return true;
  }

  private boolean relative() {
    skipBlanks();
    if (instant != null || date != null || time != null) {
      return false;
    }
    instant = now;
    if (at >= text.length()) {
      return true;
    }
    char sign = text.charAt(at);
    if (sign != '+' && sign != '-') {
      return true;
    }
    at++;
    skipBlanks();
    long count = digits(10);
    skipBlanks();
    int start = at;
    while (at < text.length() && Character.isLetter(text.charAt(at))) {
      at++;
    }
    Duration unit = unit(text.substring(start, at));
    if (count < 0 || unit == null) {
      return false;
    }
    Duration distance = unit.multipliedBy(count);
    instant = sign == '+' ? now.plus(distance) : now.minus(distance);
    return true;
  }

  private static @Nullable Duration unit(String word) {
    if ("seconds".startsWith(word)) {
      return Duration.ofSeconds(1);
    } else if ("minutes".startsWith(word)) {
      return Duration.ofMinutes(1);
    } else if ("hours".startsWith(word)) {
      return Duration.ofHours(1);
    } else if ("days".startsWith(word)) {
      return Duration.ofDays(1);
    } else if ("weeks".startsWith(word)) {
      return Duration.ofDays(7);
    }
    return null;
  }

  private boolean number() {
    int start = at;
    long first = digits(6);
    int length = at - start;
    char next = at < text.length() ? text.charAt(at) : ' ';
    if (next == ':' && length <= 2) {
      return clock(first);
    } else if (next == '-' && length == 4) {
      return isoDate(first);
    } else if ((next == '/' || next == '.') && length <= 2) {
      return monthAndDay(first, next);
    } else if (length == 4) {
      return american(first / 100, first % 100, -1);
    } else if (length == 6) {
      return american(first / 10_000, first / 100 % 100, first % 100);
    }
    return false;
  }

  private boolean clock(long hour) {
    at++;
    long minute = digits(2);
    long second = 0;
    if (at < text.length() && text.charAt(at) == ':') {
      at++;
      second = digits(2);
    }
    if (minute < 0 || second < 0) {
      return false;
    }
    int mark = at;
    skipBlanks();
    long hours = hour;
    if (text.startsWith("am", at) || text.startsWith("pm", at)) {
      if (hour < 1 || hour > 12) {
        return false;
      }
      hours = hour % 12 + (text.charAt(at) == 'p' ? 12 : 0);
      at += 2;
    } else {
      at = mark;
    }
    return setTime(LocalTime.of((int) hours, (int) minute, (int) second));
  }

  private boolean isoDate(long year) {
    at++;
    long month = digits(2);
    if (month < 0 || at >= text.length() || text.charAt(at) != '-') {
      return false;
    }
    at++;
    long day = digits(2);
    return day >= 0
        && setDate(LocalDate.of((int) year, (int) month, (int) day))
        && (!take('t') || timeOfDay());
  }

  private boolean monthAndDay(long month, char separator) {
    at++;
    long day = digits(2);
    long year = -1;
    if (take(separator)) {
      int start = at;
      year = digits(4);
      if (year < 0 || (at - start != 2 && at - start != 4)) {
        return false;
      }
    }
    return day >= 0 && american(month, day, year) && (!take('-') || timeOfDay());
  }

  /** A date in the American order; without a year (-1) it is the next such day. */
  private boolean american(long month, long day, long year) {
    yearNamed = year >= 0;
    long full = year;
    if (year < 0) {
      full = LocalDate.ofInstant(now, zone).getYear();
    } else if (year < 100) {
      full = year + 2000;
    }
    return setDate(LocalDate.of((int) full, (int) month, (int) day));
  }

  private boolean timeOfDay() {
    long hour = digits(2);
    return hour >= 0 && at < text.length() && text.charAt(at) == ':' && clock(hour);
  }

  private boolean take(char letter) {
    if (at < text.length() && text.charAt(at) == letter) {
      at++;
      return true;
    }
    return false;
  }

  private long digits(int most) {
    int start = at;
    while (at < text.length() && at - start < most && DigitParser.isDigit(text.charAt(at))) {
      at++;
    }
    return DigitParser.parse(text.substring(start, at), Long.MAX_VALUE);
  }

  private boolean setDate(LocalDate value) {
    if (date != null || instant != null) {
      return false;
    }
    date = value;
    return true;
  }

  private boolean setTime(LocalTime value) {
    if (time != null || instant != null) {
      return false;
    }
    time = value;
    return true;
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private Instant result(PastOrFuture direction) {
    if (instant != null) {
      return instant;
    }
    LocalDate day = date == null ? LocalDate.ofInstant(now, zone) : date;
    LocalDateTime moment = LocalDateTime.of(day, time == null ? LocalTime.MIDNIGHT : time);
    boolean gone = moment.atZone(zone).toInstant().isBefore(now);
    if (gone && direction == PastOrFuture.FUTURE) {
      if (date == null) {
        moment = moment.plusDays(1);
      } else if (!yearNamed) {
        moment = moment.plusYears(1);
      }
    }
    return moment.atZone(zone).toInstant();
  }
}
