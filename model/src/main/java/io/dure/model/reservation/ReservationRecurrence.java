package io.dure.model.reservation;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** When a reservation that repeats comes again. */
public final class ReservationRecurrence {
  private ReservationRecurrence() {}

  /** The one after this, null if it does not come again. */
  public static @Nullable Reservation next(Reservation reservation) {
    if (!reservation.repeats()) {
      return null;
    }
    Duration length = Duration.between(reservation.start(), reservation.end());
    Instant start = nextStart(reservation);
    return reservation.at(start, start.plus(length));
  }

  /** The first one after this that has not ended by then, null if it does not come again. */
  public static @Nullable Reservation after(Reservation reservation, Instant now) {
    Reservation next = next(reservation);
    while (next != null && !next.end().isAfter(now)) {
      next = next(next);
    }
    return next;
  }

  /**
   * After so long all times at which one that repeats comes have come, an hour for changes of
   * clocks included.
   */
  public static Duration period(Reservation reservation) {
    Duration most =
        reservation.is(ReservationFlag.HOURLY)
            ? Duration.ofHours(1)
            : Duration.ofDays(reservation.is(ReservationFlag.DAILY) ? 1 : 7);
    return most.plusHours(1);
  }

  private static Instant nextStart(Reservation reservation) {
    ZonedDateTime start = reservation.start().atZone(zone(reservation.zone()));
    if (reservation.is(ReservationFlag.HOURLY)) {
      return start.plusHours(1).toInstant();
    }
    if (reservation.is(ReservationFlag.DAILY)) {
      return start.plusDays(1).toInstant();
    }
    boolean weekday = reservation.is(ReservationFlag.WEEKDAY);
    if (!weekday && !reservation.is(ReservationFlag.WEEKEND)) {
      return start.plusWeeks(1).toInstant();
    }
    ZonedDateTime next = start.plusDays(1);
    while (isWeekend(next) == weekday) {
      next = next.plusDays(1);
    }
    return next.toInstant();
  }

  private static boolean isWeekend(ZonedDateTime time) {
    DayOfWeek day = time.getDayOfWeek();
    return day == DayOfWeek.SATURDAY || day == DayOfWeek.SUNDAY;
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException unknown) {
      return ZoneOffset.UTC;
    }
  }
}
