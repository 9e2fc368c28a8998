package io.dure.cli.command;

import io.dure.surface.value.WallClock;
import java.time.Duration;

/** The time where a command runs. */
public interface CommandClock extends WallClock {

  /** Lets the time pass. */
  void pause(Duration time);
}
