package io.dure.model.cron;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The times of a crontab's entry, to the minute, on the clock of a time zone.
 *
 * @param text as the user wrote it
 * @param minutes which minutes of an hour, a bit each
 * @param hours which hours of a day
 * @param days which days of a month, from bit 1
 * @param months which months, from bit 1
 * @param weekdays which days of a week, bit 0 and bit 7 for Sunday
 * @param eitherDay whether one of the day of the month and the day of the week is enough
 */
public record CronSchedule(
    String text,
    long minutes,
    long hours,
    long days,
    long months,
    long weekdays,
    boolean eitherDay) {

  private static final int FIELDS = 5;

  /** The 29th of February is a given day of the week again after 40 years at the latest. */
  private static final int FAR_YEARS = 41;

  /**
   * The schedule of five fields with blanks between them, or of a word like {@code @daily}.
   *
   * @throws CronSyntaxException if it is neither
   */
  public static CronSchedule parse(String text) throws CronSyntaxException {
    String known = shortcut(text);
    if (known == null && text.startsWith("@")) {
      throw new CronSyntaxException("there is no '" + text + "'");
    }
    List<String> fields = List.of((known == null ? text : known).split(" ", -1));
    if (fields.size() != FIELDS) {
      throw new CronSyntaxException("a time has five fields");
    }
    String days = fields.get(2);
    String weekdays = fields.get(4);
    return new CronSchedule(
        text,
        CronField.MINUTE.read(fields.get(0)),
        CronField.HOUR.read(fields.get(1)),
        CronField.DAY_OF_MONTH.read(days),
        CronField.MONTH.read(fields.get(3)),
        CronField.DAY_OF_WEEK.read(weekdays),
        !days.startsWith("*") && !weekdays.startsWith("*"));
  }

  private static @Nullable String shortcut(String word) {
    return switch (word) {
      case "@yearly", "@annually" -> "0 0 1 1 *";
      case "@monthly" -> "0 0 1 * *";
      case "@weekly" -> "0 0 * * 0";
      case "@daily", "@midnight" -> "0 0 * * *";
      case "@hourly" -> "0 * * * *";
      case "@elevenses" -> "0 11 * * *";
      case "@fika" -> "0 15 * * *";
      case "@teatime" -> "0 16 * * *";
      default -> null;
    };
  }

  /**
   * The first time after a moment. An entry of any hour comes by the hours that pass. One of
   * certain hours comes once in an hour that is repeated, and, if the clock leaps over its time,
   * right after the leap.
   *
   * @return null if it never comes
   */
  public @Nullable Instant next(Instant after, ZoneId zone) {
    ZoneRules rules = zone.getRules();
    boolean anyHour = CronField.HOUR.isAny(hours);
    Instant since = after;
    ZoneOffset offset = rules.getOffset(since);
    LocalDateTime from =
        LocalDateTime.ofInstant(since, offset).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
    while (true) {
      LocalDateTime found = first(from);
      if (found == null) {
        return null;
      }
      ZoneOffsetTransition change = rules.nextTransition(since);
      if (change == null || found.isBefore(change.getDateTimeBefore())) {
        if (anyHour || !isRepetition(rules, found, offset)) {
          return found.toInstant(offset);
        }
        from = found.plusMinutes(1);
      } else if (!anyHour && change.isGap() && found.isBefore(change.getDateTimeAfter())) {
        return change.getInstant();
      } else {
        since = change.getInstant();
        offset = change.getOffsetAfter();
        from = change.getDateTimeAfter();
      }
    }
  }

  /** Whether the clock was put back, and shows that time once more. */
  private static boolean isRepetition(ZoneRules rules, LocalDateTime time, ZoneOffset offset) {
    List<ZoneOffset> valid = rules.getValidOffsets(time);
    return valid.size() > 1 && offset.equals(valid.getLast());
  }

  /** The first minute that fits, from that one on; null if none comes. */
  private @Nullable LocalDateTime first(LocalDateTime from) {
    LocalDate day = from.toLocalDate();
    LocalDate last = day.plusYears(FAR_YEARS);
    int hour = from.getHour();
    int minute = from.getMinute();
    while (!day.isAfter(last)) {
      if (!has(months, day.getMonthValue())) {
        day = day.withDayOfMonth(1).plusMonths(1);
      } else {
        LocalDateTime found = isDay(day) ? firstOfDay(day, hour, minute) : null;
        if (found != null) {
          return found;
        }
        day = day.plusDays(1);
      }
      hour = 0;
      minute = 0;
    }
    return null;
  }

  private @Nullable LocalDateTime firstOfDay(LocalDate day, int hour, int minute) {
    for (int h = hour; h < 24; h++) {
      for (int m = h == hour ? minute : 0; has(hours, h) && m < 60; m++) {
        if (has(minutes, m)) {
          return day.atTime(h, m);
        }
      }
    }
    return null;
  }

  private boolean isDay(LocalDate day) {
    int weekday = day.getDayOfWeek().getValue();
    boolean byMonth = has(days, day.getDayOfMonth());
    boolean byWeek = has(weekdays, weekday) || weekday == 7 && has(weekdays, 0);
    return eitherDay ? byMonth || byWeek : byMonth && byWeek;
  }

  private static boolean has(long bits, int value) {
    return (bits >> value & 1) == 1;
  }
}
