package io.dure.cli.facts;

import io.dure.cli.command.WallClock;
import io.dure.cli.print.TimeStamps;
import java.time.Instant;
import java.util.Map;

/** The line that says when a long or repeated listing was made. */
public final class DateLine {

  private static final Map<String, String> PATTERN =
      Map.of("SLURM_TIME_FORMAT", "%a %b %d %H:%M:%S %Y");

  private DateLine() {}

  /** The present moment as {@code Fri Nov 20 16:01:34 2026}. */
  public static String of(WallClock clock) {
    Instant now = clock.now();
    return TimeStamps.of(PATTERN, now, clock.zone()).format(now);
  }
}
