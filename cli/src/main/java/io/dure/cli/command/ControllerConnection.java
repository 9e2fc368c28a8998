package io.dure.cli.command;

import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.Closeable;
import java.io.IOException;

/** An open connection to the controller, for one thread. */
public interface ControllerConnection extends Closeable {

  /**
   * Sends a request and waits for its answer.
   *
   * @throws IOException if the connection breaks or the answer does not come in time; its message
   *     is the text for the user. Whether the request was carried out is unknown then; it may be
   *     sent again if {@link Request#mayRepeat} says so.
   */
  Response ask(Request request) throws IOException;

  /**
   * The same, however long the answer takes.
   *
   * @throws IOException if the connection breaks
   */
  Response await(Request request) throws IOException;

  /** Closes it when everything that matters was answered, or it is of no use any more. */
  default void closeQuietly() {
    try {
      close();
    } catch (IOException e) {
      // Nothing was lost.
    }
  }
}
