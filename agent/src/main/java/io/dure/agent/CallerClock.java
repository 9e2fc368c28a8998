package io.dure.agent;

import io.dure.cli.command.WallClock;
import io.dure.cli.process.SystemClock;
import io.dure.cli.process.TimeZones;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** The machine's clock in the caller's time zone. */
final class CallerClock implements WallClock {
  private final SystemClock machine = new SystemClock();
  private final @Nullable String zoneName;
  private final Turns.Turn turn;

  /**
   * A clock.
   *
   * @param zoneName the variable {@code TZ}, null where it is not set
   * @param turn the call's, which a pause ends
   */
  CallerClock(@Nullable String zoneName, Turns.Turn turn) {
    this.zoneName = zoneName;
    this.turn = turn;
  }

  @Override
  public Instant now() {
    return machine.now();
  }

  @Override
  public ZoneId zone() {
    return zoneName == null ? machine.zone() : TimeZones.of(zoneName, machine.zone());
  }

  @Override
  public void pause(Duration time) {
    turn.end();
    machine.pause(time);
    CallerGoneException.check();
  }
}
