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

  @Override
  void close();
}
