package io.dure.whatif;

import io.dure.twin.simulate.SimulateUsageException;
import io.dure.twin.trace.TraceJob;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A time that is looked at, in whole seconds.
 *
 * @param from the first second
 * @param to the first that does not belong to it any more
 */
record TimeWindow(Instant from, Instant to) {
  private static final Duration LONGEST = Duration.ofDays(3660);

  /** The same in whole seconds. */
  TimeWindow whole() {
    return new TimeWindow(from.truncatedTo(ChronoUnit.SECONDS), to.truncatedTo(ChronoUnit.SECONDS));
  }

  double seconds() {
    return (double) Duration.between(from, to).toSeconds();
  }

  /**
   * What was asked for, null if nothing was.
   *
   * @param log the jobs of a log, whose days are counted from its first; null for none
   */
  static @Nullable TimeWindow asked(
      WhatIfOptions.From asked, @Nullable Duration lasts, @Nullable List<TraceJob> log, ZoneId zone)
      throws SimulateUsageException {
    if (asked.day() != null) {
      Instant from = day(asked.day(), log, zone);
      return until(from, lasts == null ? Duration.ofDays(1) : lasts, "--day " + asked.day());
    }
    if (asked.begin() == null) {
      return null;
    }
    Instant from = moment("--from", asked.begin(), zone);
    if (asked.end() == null) {
      return until(from, lasts == null ? Duration.ofDays(1) : lasts, "--from " + asked.begin());
    }
    if (lasts != null) {
      throw new SimulateUsageException("--for: --to says the end already");
    }
    Instant to = moment("--to", asked.end(), zone);
    return until(from, Duration.between(from, to), "--to " + asked.end());
  }

  private static TimeWindow until(Instant from, Duration lasts, String asked)
      throws SimulateUsageException {
    if (lasts.isNegative() || lasts.isZero() || lasts.compareTo(LONGEST) > 0) {
      throw new SimulateUsageException(
          asked + ": the end must lie behind the begin, at most ten years");
    }
    return new TimeWindow(from, from.plus(lasts)).whole();
  }

  /** All of a log. */
  static TimeWindow of(List<TraceJob> log, @Nullable Duration lasts) {
    Instant from = log.getFirst().submit();
    Instant to = lasts == null ? log.getLast().submit().plusSeconds(1) : from.plus(lasts);
    return new TimeWindow(from, to).whole();
  }

  private static Instant day(String day, @Nullable List<TraceJob> log, ZoneId zone)
      throws SimulateUsageException {
    if (log != null && day.matches("[1-9][0-9]{0,5}")) {
      Instant first = log.getFirst().submit().truncatedTo(ChronoUnit.DAYS);
      Instant begin = first.plus(Duration.ofDays(Long.parseLong(day) - 1));
      if (begin.isAfter(log.getLast().submit())) {
        long days = Duration.between(first, log.getLast().submit()).toDays() + 1;
        throw new SimulateUsageException("--day " + day + ": the log has " + days + " days");
      }
      return begin;
    }
    try {
      return LocalDate.parse(day).atStartOfDay(zone).toInstant();
    } catch (DateTimeException e) {
      throw new SimulateUsageException(
          "--day "
              + day
              + ": give a day such as 2026-11-20"
              + (log == null ? "" : ", or which day of the log, from 1 on"));
    }
  }

  private static Instant moment(String option, String text, ZoneId zone)
      throws SimulateUsageException {
    try {
      if (text.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}")) {
        return LocalDate.parse(text).atStartOfDay(zone).toInstant();
      }
      return text.endsWith("Z")
          ? Instant.parse(text)
          : LocalDateTime.parse(text).atZone(zone).toInstant();
    } catch (DateTimeException e) {
      throw new SimulateUsageException(
          option + " " + text + ": give a time such as 2026-11-20 or 2026-11-20T09:30:00");
    }
  }

  /** As headings say it. */
  String text(ZoneId zone) {
    String end = zone.equals(ZoneOffset.UTC) ? " UTC" : "";
    return text(from, zone) + " to " + text(to, zone) + end;
  }

  /** A moment as people write it. */
  static String text(Instant instant, ZoneId zone) {
    LocalDateTime time = LocalDateTime.ofInstant(instant, zone).truncatedTo(ChronoUnit.SECONDS);
    String text = time.toString().replace('T', ' ');
    return text.length() == 16 ? text + ":00" : text;
  }
}
