package io.dure.cli.connect;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.ControllerConnector;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The controllers, and the keeper of the books for what it can answer while none of them does. For
 * one thread.
 */
final class BooksFallback implements ControllerConnection {
  private final ControllerConnector controllers;
  private final Books books;
  private @Nullable ControllerConnection open;

  /** The keeper of the books. */
  interface Books {
    /**
     * The answer to a question, null if it is none to the books, or they have no other keeper.
     *
     * @throws IOException if it does not answer
     */
    @Nullable Response answer(Request request) throws IOException;
  }

  /** A connection that is made with the first question. */
  BooksFallback(ControllerConnector controllers, Books books) {
    this.controllers = controllers;
    this.books = books;
  }

  private interface Exchange {
    Response with(ControllerConnection connection) throws IOException;
  }

  @Override
  public Response ask(Request request) throws IOException {
    return exchange(request, connection -> connection.ask(request));
  }

  @Override
  public Response await(Request request) throws IOException {
    return exchange(request, connection -> connection.await(request));
  }

  private Response exchange(Request request, Exchange exchange) throws IOException {
    try {
      ControllerConnection connection = open == null ? controllers.open() : open;
      open = connection;
      return exchange.with(connection);
    } catch (IOException silent) {
      close();
      Response told = told(request);
      if (told != null) {
        return told;
      }
      throw silent;
    }
  }

  private @Nullable Response told(Request request) {
    try {
      return books.answer(request);
    } catch (IOException e) {
      return null; // that the controller does not answer is what is to be put right
    }
  }

  @Override
  public void close() {
    ControllerConnection known = open;
    open = null;
    if (known != null) {
      known.closeQuietly();
    }
  }
}
