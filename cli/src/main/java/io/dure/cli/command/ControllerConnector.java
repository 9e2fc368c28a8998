package io.dure.cli.command;

import java.io.IOException;

/** The way from a command to the cluster's controller. */
public interface ControllerConnector {

  /**
   * Opens a connection to the controller that answers.
   *
   * @throws IOException when no controller can be reached; its message is the text for the user
   */
  ControllerConnection open() throws IOException;

  /**
   * The same for what has to be put right though the caller may be gone.
   *
   * @throws IOException as {@link #open}
   */
  default ControllerConnection openToFinish() throws IOException {
    return open();
  }

  /**
   * The same for what reads the books: their keeper answers where no controller does, if it can be
   * asked.
   */
  default ControllerConnector books() {
    return this;
  }
}
