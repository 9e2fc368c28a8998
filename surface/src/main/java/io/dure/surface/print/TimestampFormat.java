package io.dure.surface.print;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Moments as listings print them: {@code 2026-11-20T16:00:48}, or as {@code SLURM_TIME_FORMAT}
 * asks: {@code standard}, {@code relative} or a pattern of {@code strftime}. For one thread.
 */
public final class TimestampFormat {

  private final ZoneId zone;
  private final LocalDate today;
  private final @Nullable String pattern;
  private final boolean relative;

  private TimestampFormat(ZoneId zone, Instant now, String format) {
    this.zone = zone;
    this.today = LocalDate.ofInstant(now, zone);
    this.relative = format.equals("relative");
    this.pattern = relative || format.equals("standard") || format.isEmpty() ? null : format;
  }

  /** The form that {@code SLURM_TIME_FORMAT} names, by default the standard one. */
  public static TimestampFormat of(Map<String, String> environment, Instant now, ZoneId zone) {
    String format = environment.get("SLURM_TIME_FORMAT");
    return new TimestampFormat(zone, now, format == null ? "standard" : format);
  }

  /** The text of a moment. */
  public String format(Instant moment) {
    LocalDateTime time = LocalDateTime.ofInstant(moment, zone);
    if (pattern != null) {
      return Strftime.format(pattern, moment.atZone(zone));
    }
    return relative ? relative(time) : standard(time);
  }

  /** The text of a moment, or another text if there is none. */
  public String formatOr(@Nullable Instant moment, String absent) {
    return moment == null ? absent : format(moment);
  }

  private static String standard(LocalDateTime time) {
    StringBuilder text = new StringBuilder(19);
    int year = time.getYear();
    for (int limit = 1000; limit > 1 && year < limit; limit /= 10) {
      text.append('0');
    }
    text.append(year).append('-');
    ElapsedTimeFormat.twoDigits(text, time.getMonthValue()).append('-');
    ElapsedTimeFormat.twoDigits(text, time.getDayOfMonth()).append('T');
    clock(text, time.toLocalTime()).append(':');
    return ElapsedTimeFormat.twoDigits(text, time.getSecond()).toString();
  }

  private String relative(LocalDateTime time) {
    StringBuilder text = new StringBuilder(16);
    long days = ChronoUnit.DAYS.between(today, time.toLocalDate());
    String month = Strftime.MONTHS[time.getMonthValue() - 1].substring(0, 3);
    if (days == 0) {
      clock(text, time.toLocalTime()).append(':');
      return ElapsedTimeFormat.twoDigits(text, time.getSecond()).toString();
    }
    if (time.getYear() != today.getYear()) {
      text.append(time.getDayOfMonth()).append(' ').append(month);
      return text.append(' ').append(time.getYear()).toString();
    }
    if (days == -1) {
      text.append("Ystday ");
    } else if (days == 1) {
      text.append("Tomorr ");
    } else if (days > 1 && days < 7) {
      text.append(Strftime.DAYS[time.getDayOfWeek().getValue() - 1], 0, 3).append(' ');
    } else {
      text.append(time.getDayOfMonth()).append(' ').append(month).append(' ');
    }
    return clock(text, time.toLocalTime()).toString();
  }

  private static StringBuilder clock(StringBuilder text, LocalTime time) {
    ElapsedTimeFormat.twoDigits(text, time.getHour()).append(':');
    return ElapsedTimeFormat.twoDigits(text, time.getMinute());
  }
}
