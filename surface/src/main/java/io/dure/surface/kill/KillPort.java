package io.dure.surface.kill;

import io.dure.model.command.Command;
import io.dure.protocol.Response;
import java.io.IOException;

/** Takes what cancels and signals jobs to the controller. */
@FunctionalInterface
public interface KillPort {
  /**
   * Asks for a change.
   *
   * @throws IOException if the controller cannot be reached
   */
  Response ask(Command.UserCommand command) throws IOException;
}
