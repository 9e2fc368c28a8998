package io.dure.agent;

import io.dure.cli.command.CommandClock;
import io.dure.cli.process.SystemWallClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** The machine's clock in the caller's time zone. */
final class CallerZoneClock implements CommandClock {
  private final SystemWallClock machine;
  private final LargeListingSlots.Turn turn;

  /**
   * A clock.
   *
   * @param zoneName the variable {@code TZ}, null where it is not set
   * @param turn the call's, which a pause ends
   */
  CallerZoneClock(@Nullable String zoneName, LargeListingSlots.Turn turn) {
    machine = new SystemWallClock(zoneName);
    this.turn = turn;
  }

  @Override
  public Instant now() {
    return machine.now();
  }

  @Override
  public ZoneId zone() {
    return machine.zone();
  }

  @Override
  public void pause(Duration time) {
    turn.end();
    machine.pause(time);
    CallerDisconnectedException.check();
  }
}
