package io.dure.cli.connect;

import java.io.IOException;

/** A request did not leave as a whole: it was certainly not carried out. */
final class RequestNotSentException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * Did not leave.
   *
   * @param message for the user
   */
  RequestNotSentException(String message, IOException cause) {
    super(message, cause);
  }
}
