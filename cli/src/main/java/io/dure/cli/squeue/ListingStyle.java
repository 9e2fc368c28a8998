package io.dure.cli.squeue;

import io.dure.cli.print.TimeStamps;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;

/**
 * How values of the listing are written.
 *
 * @param plainUnits whether amounts keep their unit ({@code --noconvert})
 * @param expandPatterns whether {@code %j} and the like in paths are filled in
 * @param taskListLimit the most characters of a list of array tasks
 * @param cluster the cluster's name, empty where no column asks for it
 * @param times how moments are written
 */
record ListingStyle(
    boolean plainUnits, boolean expandPatterns, int taskListLimit, String cluster, Times times) {

  /** Moments; the zone's rules are loaded with the first one that is printed. */
  static final class Times {
    private final Map<String, String> environment;
    private final Instant now;
    private final io.dure.cli.command.WallClock clock;
    private @org.jspecify.annotations.Nullable TimeStamps stamps;

    Times(Map<String, String> environment, Instant now, io.dure.cli.command.WallClock clock) {
      this.environment = environment;
      this.now = now;
      this.clock = clock;
    }

    TimeStamps get() {
      if (stamps == null) {
        ZoneId zone = clock.zone();
        stamps = TimeStamps.of(environment, now, zone);
      }
      return stamps;
    }
  }
}
