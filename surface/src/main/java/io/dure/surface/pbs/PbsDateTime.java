package io.dure.surface.pbs;

import io.dure.surface.message.CommandException;
import io.dure.surface.value.DigitParser;
import io.dure.surface.value.WallClock;
import java.time.DateTimeException;
import java.time.LocalDateTime;

/** Times as {@code qsub -a} has them. All functions are pure. */
final class PbsDateTime {
  private static final int DAY = 6;
  private static final int MONTH = 8;
  private static final int YEAR = 10;
  private static final int CENTURY = 12;

  private PbsDateTime() {}

  /** A time in the form of {@code --begin}, from {@code [[[[CC]YY]MM]DD]hhmm[.SS]}. */
  static String of(String text, WallClock clock) throws CommandException {
    int point = text.indexOf('.');
    String digits = point < 0 ? text : text.substring(0, point);
    long second = point < 0 ? 0 : DigitParser.parse(text.substring(point + 1), 59);
    int length = digits.length();
    boolean right =
        length >= 4
            && length <= CENTURY
            && length % 2 == 0
            && second >= 0
            && digits.chars().allMatch(letter -> letter >= '0' && letter <= '9');
    if (!right) {
      throw PbsQuantity.illegal("Execution_Time", text);
    }
    LocalDateTime now = LocalDateTime.ofInstant(clock.now(), clock.zone());
    try {
      LocalDateTime at =
          now.withHour(two(digits, 4))
              .withMinute(two(digits, 2))
              .withSecond((int) second)
              .withNano(0);
      return next(at, digits, now).toString();
    } catch (DateTimeException e) {
      throw PbsQuantity.illegal("Execution_Time", text);
    }
  }

  /** What is not named is such that the time is to come. */
  private static LocalDateTime next(LocalDateTime hour, String digits, LocalDateTime now) {
    int length = digits.length();
    if (length < DAY) {
      return hour.isBefore(now) ? hour.plusDays(1) : hour;
    }
    int day = two(digits, DAY);
    if (length < MONTH) {
      LocalDateTime at = hour.withDayOfMonth(day);
      return at.isBefore(now) ? at.plusMonths(1) : at;
    }
    LocalDateTime first = hour.withDayOfMonth(1).withMonth(two(digits, MONTH));
    if (length < YEAR) {
      LocalDateTime at = first.withDayOfMonth(day);
      return at.isBefore(now) ? at.plusYears(1) : at;
    }
    int century = length < CENTURY ? first.getYear() / 100 : two(digits, CENTURY);
    return first.withYear(century * 100 + two(digits, YEAR)).withDayOfMonth(day);
  }

  /** The two digits that begin so far from the end. */
  private static int two(String digits, int fromEnd) {
    int at = digits.length() - fromEnd;
    return Integer.parseInt(digits.substring(at, at + 2));
  }
}
