package io.dure.model.cron;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a crontab.
 *
 * @param schedule when it comes
 * @param zone name of the time zone by whose clock it does
 * @param firstLine its first line in the crontab, from 1: that of its first option
 * @param lastLine its last line, that of its time and command
 */
public record CronEntry(CronSchedule schedule, String zone, int firstLine, int lastLine) {

  /** The first time after a moment, null if there is none. */
  public @Nullable Instant next(Instant after) {
    return schedule.next(after, clock());
  }

  /** The same by the clock of another time zone. */
  public CronEntry in(String other) {
    return new CronEntry(schedule, other, firstLine, lastLine);
  }

  private ZoneId clock() {
    try {
      return ZoneId.of(zone);
    } catch (DateTimeException unknown) {
      return ZoneOffset.UTC;
    }
  }
}
