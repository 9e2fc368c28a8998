package io.dure.model.cron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.testkit.SeededRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The times of a crontab's entry, over leap years and changes of the clock. */
@Tag("pure")
class CronScheduleTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ZoneId LORD_HOWE = ZoneId.of("Australia/Lord_Howe");

  private static CronSchedule schedule(String text) {
    try {
      return CronSchedule.parse(text);
    } catch (CronSyntaxException e) {
      throw new AssertionError(text, e);
    }
  }

  private static void comes(String text, String after, String... next) {
    Instant at = Instant.parse(after);
    for (String one : next) {
      at = schedule(text).next(at, BERLIN);
      assertEquals(Instant.parse(one), at, text);
    }
  }

  private static void wrong(String text, String message) {
    assertEquals(
        message,
        assertThrows(CronSyntaxException.class, () -> CronSchedule.parse(text)).getMessage());
  }

  @Test
  void fieldsAreAsInACrontab() {
    comes("*/20 * * * *", "2026-01-10T12:00:00Z", "2026-01-10T12:20:00Z", "2026-01-10T12:40:00Z");
    comes("5,7 3-4 * * *", "2026-01-10T12:00:00Z", "2026-01-11T02:05:00Z", "2026-01-11T02:07:00Z");
    comes("0 0 1-31/15 * *", "2026-01-10T12:00:00Z", "2026-01-15T23:00:00Z");
    comes("0 0 * mar,September *", "2026-04-10T12:00:00Z", "2026-08-31T22:00:00Z");
    comes("0 12 * * sun", "2026-01-10T12:00:00Z", "2026-01-11T11:00:00Z");
    comes("0 12 * * 7", "2026-01-10T12:00:00Z", "2026-01-11T11:00:00Z");
    comes("0 12 * * Fri-Sun", "2026-01-12T12:00:00Z", "2026-01-16T11:00:00Z");
    comes("0 12 * * 5-0", "2026-01-12T12:00:00Z", "2026-01-16T11:00:00Z");
    comes("59 23 * * *", "2026-01-10T22:58:59.999Z", "2026-01-10T22:59:00Z");
    comes("59 23 * * *", "2026-01-10T22:59:00Z", "2026-01-11T22:59:00Z");
  }

  @Test
  void wordsStandForTimes() {
    comes("@hourly", "2026-01-10T12:00:00Z", "2026-01-10T13:00:00Z");
    comes("@daily", "2026-01-10T12:00:00Z", "2026-01-10T23:00:00Z");
    comes("@midnight", "2026-01-10T12:00:00Z", "2026-01-10T23:00:00Z");
    comes("@weekly", "2026-01-12T12:00:00Z", "2026-01-17T23:00:00Z");
    comes("@monthly", "2026-01-10T12:00:00Z", "2026-01-31T23:00:00Z");
    comes("@yearly", "2026-01-10T12:00:00Z", "2026-12-31T23:00:00Z");
    comes("@annually", "2026-01-10T12:00:00Z", "2026-12-31T23:00:00Z");
    comes("@elevenses", "2026-01-10T12:00:00Z", "2026-01-11T10:00:00Z");
    comes("@fika", "2026-01-10T12:00:00Z", "2026-01-10T14:00:00Z");
    comes("@teatime", "2026-01-10T12:00:00Z", "2026-01-10T15:00:00Z");
  }

  @Test
  void oneOfTwoKindsOfDaysIsEnoughUnlessOneIsAny() {
    comes("0 12 13 * fri", "2026-01-12T12:00:00Z", "2026-01-13T11:00:00Z", "2026-01-16T11:00:00Z");
    comes("0 12 */2 * fri", "2026-01-12T12:00:00Z", "2026-01-23T11:00:00Z");
    comes("0 12 13 * *", "2026-01-14T12:00:00Z", "2026-02-13T11:00:00Z");
  }

  @Test
  void daysThatAreRareAreFoundAndOthersNever() {
    comes("0 12 29 2 *", "2026-03-01T12:00:00Z", "2028-02-29T11:00:00Z", "2032-02-29T11:00:00Z");
    comes("0 12 29 2 *", "2096-03-01T12:00:00Z", "2104-02-29T11:00:00Z");
    comes("0 12 29 2 */7", "2088-03-01T12:00:00Z", "2128-02-29T11:00:00Z");
    assertNull(schedule("0 0 30 2 *").next(Instant.EPOCH, BERLIN));
    assertNull(schedule("0 0 31 4,6,9,11 *").next(Instant.EPOCH, ZoneOffset.UTC));
  }

  @Test
  void clocksAreAdvancedAndPutBack() {
    // On 29 March 2026 there is no 2:30; on 25 October 2:30 comes twice.
    comes("30 2 * * *", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
    comes("30 2 * * *", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    comes("30 * * * *", "2026-03-29T00:00:00Z", "2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z");
    comes("30 * * * *", "2026-10-25T00:00:00Z", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z");
    comes("0 3 * * *", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z", "2026-03-30T01:00:00Z");
    comes("0 2-3 * * *", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z");
  }

  @Test
  void whatIsNoTimeIsSaid() {
    wrong("61 * * * *", "bad minute '61': it is from 0 to 59");
    wrong("* 24 * * *", "bad hour '24': it is from 0 to 23");
    wrong("* * 0 * *", "bad day of month '0': it is from 1 to 31");
    wrong("* * * 13 *", "bad month '13': it is from 1 to 12");
    wrong("* * * * 8", "bad day of week '8': it is from 0 to 7");
    wrong("*/0 * * * *", "bad minute '*/0': a step is at least 1");
    wrong("5/2 * * * *", "bad minute '5/2': a step needs * or a range before it");
    wrong(
        "9-5 * * * *",
        "bad minute '9-5': the second number of a range must be greater than the first");
    wrong(
        "* * * * 0-0",
        "bad day of week '0-0': the second number of a range must be greater than the first");
    wrong("1,,2 * * * *", "bad minute '1,,2': '' is not a value of it");
    wrong("* * * ju *", "bad month 'ju': 'ju' is not a value of it");
    wrong("-1 * * * *", "bad minute '-1': '' is not a value of it");
    wrong("\u0661 * * * *", "bad minute '\u0661': '\u0661' is not a value of it");
    wrong("* * * *", "a time has five fields");
    wrong("@reboot", "there is no '@reboot'");
    String long40 = "x".repeat(40) + "...";
    wrong(
        "x".repeat(10_000) + " * * * *",
        "bad minute '" + long40 + "': '" + long40 + "' is not a value of it");
  }

  private static String field(SeededRandom random, int low, int high) {
    return switch (random.between(0, 4)) {
      case 0, 1 -> "*";
      case 2 -> "*/" + random.between(1, high);
      case 3 -> Integer.toString(random.between(low, high));
      default -> {
        int from = random.between(low, high - 1);
        yield from + "-" + random.between(from + 1, high) + "/" + random.between(1, 5);
      }
    };
  }

  @Test
  void aSearchMinuteByMinuteFindsTheSame() {
    SeededRandom.check(
        "the next time of a schedule",
        100,
        random -> {
          String text =
              String.join(
                  " ",
                  field(random, 0, 59),
                  field(random, 0, 23),
                  random.percent(70) ? "*" : field(random, 1, 31),
                  random.percent(80) ? "*" : field(random, 1, 12),
                  random.percent(70) ? "*" : field(random, 0, 7));
          ZoneId zone = random.oneOf(List.of(BERLIN, LORD_HOWE, ZoneOffset.UTC));
          String day =
              random.oneOf(List.of("2026-03-28", "2026-10-24", "2026-04-04", "2026-10-03"));
          Instant after =
              Instant.parse(day + "T00:00:00Z").plusSeconds(random.between(0, 3 * 24 * 3600));
          Instant last = after.plus(Duration.ofDays(8));
          Instant found = schedule(text).next(after, zone);
          Instant expected = naive(schedule(text), after, last, zone);
          assertEquals(
              expected,
              found != null && found.isAfter(last) ? null : found,
              text + " after " + after + " in " + zone);
        });
  }

  /** By the word of the rules: each minute is looked at. */
  private static @Nullable Instant naive(
      CronSchedule schedule, Instant after, Instant last, ZoneId zone) {
    ZoneRules rules = zone.getRules();
    boolean anyHour = schedule.hours() == (1L << 24) - 1;
    Instant at = after.truncatedTo(ChronoUnit.MINUTES).plusSeconds(60);
    for (; !at.isAfter(last); at = at.plusSeconds(60)) {
      LocalDateTime shown = LocalDateTime.ofInstant(at, zone);
      List<ZoneOffset> valid = rules.getValidOffsets(shown);
      boolean again = valid.size() > 1 && rules.getOffset(at).equals(valid.getLast());
      if (fits(schedule, shown) && (anyHour || !again)) {
        return at;
      }
      ZoneOffsetTransition change = rules.nextTransition(at.minusSeconds(1));
      if (!anyHour && change != null && change.getInstant().equals(at) && change.isGap()) {
        LocalDateTime missing = change.getDateTimeBefore();
        for (; missing.isBefore(change.getDateTimeAfter()); missing = missing.plusMinutes(1)) {
          if (fits(schedule, missing)) {
            return at;
          }
        }
      }
    }
    return null;
  }

  private static boolean fits(CronSchedule schedule, LocalDateTime time) {
    int weekday = time.getDayOfWeek().getValue() % 7;
    boolean byMonth = (schedule.days() >> time.getDayOfMonth() & 1) == 1;
    boolean byWeek =
        (schedule.weekdays() >> weekday & 1) == 1
            || weekday == 0 && (schedule.weekdays() >> 7 & 1) == 1;
    return (schedule.minutes() >> time.getMinute() & 1) == 1
        && (schedule.hours() >> time.getHour() & 1) == 1
        && (schedule.months() >> time.getMonthValue() & 1) == 1
        && (schedule.eitherDay() ? byMonth || byWeek : byMonth && byWeek);
  }
}
