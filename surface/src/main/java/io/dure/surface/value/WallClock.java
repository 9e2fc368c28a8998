package io.dure.surface.value;

import java.time.Instant;
import java.time.ZoneId;

/**
 * The time where a text was written. The zone is asked for only when a date is read or printed,
 * because loading the zone rules takes longer than a whole listing.
 */
public interface WallClock {

  /** The present moment. */
  Instant now();

  /** The zone in which dates are read and printed. */
  ZoneId zone();

  /** A time that does not pass. */
  record Fixed(Instant now, ZoneId zone) implements WallClock {}
}
