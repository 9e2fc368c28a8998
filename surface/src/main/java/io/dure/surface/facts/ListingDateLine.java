package io.dure.surface.facts;

import io.dure.surface.print.TimestampFormat;
import io.dure.surface.value.WallClock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;

/** The line that says when a long or repeated listing was made. */
public final class ListingDateLine {

  private static final Map<String, String> PATTERN =
      Map.of("SLURM_TIME_FORMAT", "%a %b %d %H:%M:%S %Y");

  private ListingDateLine() {}

  /** The present moment as {@code Fri Nov 20 16:01:34 2026}. */
  public static String of(WallClock clock) {
    return of(clock.now(), clock.zone());
  }

  /** A moment in that form. */
  public static String of(Instant moment, ZoneId zone) {
    return TimestampFormat.of(PATTERN, moment, zone).format(moment);
  }
}
