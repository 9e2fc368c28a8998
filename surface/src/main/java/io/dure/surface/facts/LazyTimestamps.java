package io.dure.surface.facts;

import io.dure.surface.print.TimestampFormat;
import io.dure.surface.value.WallClock;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Moments as listings print them; the zone's rules are loaded with the first one. For one thread.
 */
public final class LazyTimestamps {

  private final Map<String, String> environment;
  private final WallClock clock;
  private final Instant now;
  private @Nullable TimestampFormat stamps;

  /**
   * Moments as seen at {@code now}.
   *
   * @param environment of which {@code SLURM_TIME_FORMAT} says the form
   * @param clock whose zone it is
   */
  public LazyTimestamps(Map<String, String> environment, WallClock clock, Instant now) {
    this.environment = environment;
    this.clock = clock;
    this.now = now;
  }

  /** The text of a moment. */
  public String format(Instant moment) {
    if (stamps == null) {
      stamps = TimestampFormat.of(environment, now, clock.zone());
    }
    return stamps.format(moment);
  }
}
