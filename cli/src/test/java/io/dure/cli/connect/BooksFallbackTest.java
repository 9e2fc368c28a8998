package io.dure.cli.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.ControllerConnector;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When the keeper of the books is asked. */
@Tag("pure")
class BooksFallbackTest {
  private static final Request READ = new Request.ShowAccounts();
  private static final Response OF_BOOKS = new Response.Text(List.of("books"));
  private static final Response OF_CONTROLLER = new Response.Text(List.of("controller"));

  private boolean up = true;
  private int opened;
  private int closed;

  private final class Door implements ControllerConnection {
    @Override
    public Response ask(Request request) throws IOException {
      if (!up) {
        throw new IOException("the controller hung up");
      }
      return OF_CONTROLLER;
    }

    @Override
    public Response await(Request request) throws IOException {
      return ask(request);
    }

    @Override
    public void close() {
      closed++;
    }
  }

  private final ControllerConnector controllers =
      () -> {
        if (!up) {
          throw new IOException("no controller");
        }
        opened++;
        return new Door();
      };

  private BooksFallback connection() {
    return new BooksFallback(controllers, request -> request.equals(READ) ? OF_BOOKS : null);
  }

  private static String refusal(BooksFallback connection, Request request) {
    return assertThrows(IOException.class, () -> connection.ask(request)).getMessage();
  }

  @Test
  void aControllerThatAnswersIsAskedAlone() throws IOException {
    try (BooksFallback connection = connection()) {
      assertEquals(OF_CONTROLLER, connection.ask(READ));
      assertEquals(OF_CONTROLLER, connection.await(READ));
    }
    assertEquals(1, opened);
    assertEquals(1, closed);
  }

  @Test
  void theBooksAnswerWhereItDoesNotOpenOrHangsUp() throws IOException {
    try (BooksFallback connection = connection()) {
      assertEquals(OF_CONTROLLER, connection.ask(READ));
      up = false;
      assertEquals(OF_BOOKS, connection.ask(READ), "it hung up");
      assertEquals(1, closed);
      assertEquals(OF_BOOKS, connection.await(READ), "it does not open");
      up = true;
      assertEquals(OF_CONTROLLER, connection.ask(READ), "it is back");
    }
  }

  @Test
  void whatIsNoQuestionToThemFailsAsWithoutThem() {
    up = false;
    assertEquals("no controller", refusal(connection(), new Request.Ping()));
    BooksFallback silent =
        new BooksFallback(
            controllers,
            _ -> {
              throw new IOException("slurmdbd does not answer");
            });
    assertEquals("no controller", refusal(silent, READ));
  }
}
