package io.dure.rest;

import java.io.IOException;

/** What is done for a method and a path. Any thread. */
public interface RestOperation {
  /**
   * Answers a call: asks the controller first, then begins to write.
   *
   * @throws RestFailure if it is not done; nothing was written then
   * @throws IOException if the client or the controller went away
   */
  void answer(RestCall call) throws RestFailure, IOException, InterruptedException;
}
