package io.dure.cli.connect;

import io.dure.cli.command.ControllerConnection;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The ways to the controllers. */
interface ConnectionOpeners {
  /** How many there are, at least one. */
  int count();

  /**
   * Connects to one of them. Any thread.
   *
   * @param longest how long that may take, but for a door that needs no connection
   */
  ControllerConnection open(int door, Duration longest) throws IOException;

  /** The controller behind it, for people; null if another door leads to the same one. */
  @Nullable String name(int door);

  /**
   * The {@code SlurmctldHost} behind it, as {@code Response.Replica} names it, also where another
   * door leads to the same one; null if that is not known.
   */
  @Nullable String host(int door);
}
