package io.dure.accounting;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;

/** The spans of time that use is summed up for, in a time zone; times in seconds. */
enum UsageSpan {
  HOUR(0),
  DAY(1),
  MONTH(2);

  /**
   * A time in seconds: whole hours, but cut at the present.
   *
   * @param from its begin
   * @param until its end, outside
   */
  record Window(long from, long until) {}

  private static final long HOUR_SECONDS = 3600;

  private final int column;

  UsageSpan(int column) {
    this.column = column;
  }

  /** What the column of spans says of it. */
  int column() {
    return column;
  }

  /** The beginning of the span that a time is in. */
  long begin(long time, ZoneId zone) {
    if (this == HOUR) {
      long offset = zone.getRules().getOffset(Instant.ofEpochSecond(time)).getTotalSeconds();
      return time - Math.floorMod(time + offset, HOUR_SECONDS);
    }
    LocalDate day = at(time, zone).toLocalDate();
    return start(this == DAY ? day : day.withDayOfMonth(1), zone);
  }

  /** The end of the span that begins then. */
  long end(long begin, ZoneId zone) {
    if (this == HOUR) {
      return begin + HOUR_SECONDS;
    }
    LocalDate day = at(begin, zone).toLocalDate();
    return start(this == DAY ? day.plusDays(1) : day.plusMonths(1), zone);
  }

  private static ZonedDateTime at(long time, ZoneId zone) {
    return Instant.ofEpochSecond(time).atZone(zone);
  }

  private static long start(LocalDate day, ZoneId zone) {
    return day.atStartOfDay(zone).toEpochSecond();
  }
}
