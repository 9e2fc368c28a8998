package io.dure.rest;

import io.dure.model.command.Caller;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;

/** Requests of one caller, one after the other; a listing in parts goes on from the one before. */
public interface RequestSession extends AutoCloseable {
  /** Who asks. */
  Caller.User caller();

  /**
   * Asks.
   *
   * @throws IOException if the controller cannot be reached any more
   */
  Response ask(Request request) throws IOException, InterruptedException;

  /**
   * Waits until there is memory for what a request brings; it is given back when the session ends.
   * Once in a session.
   *
   * @param bytes that are to be received
   * @throws IOException if there are too many large requests at once
   */
  void admit(int bytes) throws IOException;

  @Override
  void close();
}
