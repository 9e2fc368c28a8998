package io.dure.cli.process;

import io.dure.cli.command.WallClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/** The machine's clock and zone. */
public final class SystemClock implements WallClock {

  @Override
  public Instant now() {
    return Instant.now();
  }

  @Override
  public ZoneId zone() {
    String named = System.getenv("TZ");
    return named == null ? ZoneId.systemDefault() : TimeZones.of(named, ZoneId.systemDefault());
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
