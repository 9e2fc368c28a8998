package io.dure.model.config.accounting;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * For how long records are kept, as slurmdbd.conf says it: {@code 12}, {@code 12months}, {@code
 * 30days}, {@code 48hours}.
 *
 * @param count how many, at least 1
 * @param unit of these; records go at the begin of each
 */
public record RetentionAge(int count, Unit unit) {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,6})([a-z]*)");

  /** Units of an age. */
  public enum Unit {
    HOURS(ChronoUnit.HOURS),
    DAYS(ChronoUnit.DAYS),
    MONTHS(ChronoUnit.MONTHS);

    private final ChronoUnit time;

    Unit(ChronoUnit time) {
      this.time = time;
    }

    /** The begin of the hour, day or month that a moment is in. */
    public Instant begin(Instant moment, ZoneId zone) {
      ZonedDateTime at = moment.atZone(zone);
      return switch (this) {
        case HOURS -> at.truncatedTo(ChronoUnit.HOURS).toInstant();
        case DAYS -> at.toLocalDate().atStartOfDay(zone).toInstant();
        case MONTHS -> at.toLocalDate().withDayOfMonth(1).atStartOfDay(zone).toInstant();
      };
    }

    /** The end of the one that begins then. */
    public Instant end(Instant begin, ZoneId zone) {
      Instant end = begin(begin.atZone(zone).plus(1, time).toInstant(), zone);
      return end.isAfter(begin) ? end : begin.plusSeconds(3600); // an hour that the clock repeats
    }
  }

  /** Reads an age, null if the text is none; a number alone is of months. */
  public static @Nullable RetentionAge of(String text) {
    Matcher parts = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      return null;
    }
    int count = Integer.parseInt(parts.group(1));
    Unit unit =
        switch (parts.group(2)) {
          case "h", "hour", "hours" -> Unit.HOURS;
          case "d", "day", "days" -> Unit.DAYS;
          case "", "m", "month", "months" -> Unit.MONTHS;
          default -> null;
        };
    return unit == null || count == 0 ? null : new RetentionAge(count, unit);
  }

  /** What ended before this moment goes now: whole hours, days or months. */
  public Instant cutoff(Instant now, ZoneId zone) {
    ZonedDateTime begin = unit.begin(now, zone).atZone(zone);
    return unit.begin(begin.minus(count, unit.time).toInstant(), zone);
  }
}
