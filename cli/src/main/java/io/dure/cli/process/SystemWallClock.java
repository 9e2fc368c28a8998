package io.dure.cli.process;

import io.dure.cli.command.CommandClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** The machine's clock, and a zone. */
public final class SystemWallClock implements CommandClock {
  private final @Nullable String zone;

  /**
   * A clock.
   *
   * @param zone the variable {@code TZ}, null where it is not set: the machine's zone then
   */
  public SystemWallClock(@Nullable String zone) {
    this.zone = zone;
  }

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public ZoneId zone() {
    return zone == null ? ZoneId.systemDefault() : PosixTimeZones.of(zone, ZoneId.systemDefault());
  }

  @Override
  public void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
