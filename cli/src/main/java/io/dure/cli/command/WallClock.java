package io.dure.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * The time where the command runs. The zone is asked for only when a date is read or printed,
 * because loading the zone rules takes longer than a whole listing.
 */
public interface WallClock {

  /** The present moment. */
  Instant now();

  /** The zone in which dates are read and printed. */
  ZoneId zone();

  /** Lets the time pass. */
  void pause(Duration time);
}
