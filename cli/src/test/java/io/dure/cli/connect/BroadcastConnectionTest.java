package io.dure.cli.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.dure.cli.command.ControllerConnection;
import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What goes to the controller that leads, and what to all of them. */
@Tag("pure")
class BroadcastConnectionTest {
  private static final Request.Shutdown SHUTDOWN = new Request.Shutdown(true);
  private static final Response DONE = new Response.Decided(new Reply.Done());
  private static final Response STANDBY = new Response.Failed(ErrorCode.IN_STANDBY, "");
  private static final Response DENIED = new Response.Failed(ErrorCode.USER_ID_MISSING, "");

  private final List<String> asked = new ArrayList<>();

  /** Controllers that answer so; one that is gone is null. */
  private BroadcastConnection controllers(Response... answers) throws IOException {
    return new BroadcastConnection(
        new ConnectionOpeners() {
          @Override
          public int count() {
            return answers.length;
          }

          @Override
          public @Nullable String name(int door) {
            return door == 0 ? null : "c" + door;
          }

          @Override
          public String host(int door) {
            return "c" + door;
          }

          @Override
          public ControllerConnection open(int door, Duration longest) throws IOException {
            if (answers[door] == null) {
              throw new IOException("gone");
            }
            return new Fake(door, answers[door]);
          }
        });
  }

  @Test
  void allAreToEnd() throws IOException {
    assertEquals(DONE, controllers(DONE, DONE, DONE).ask(SHUTDOWN));
    assertEquals(List.of("2 Shutdown", "1 Shutdown", "0 Shutdown"), asked);
  }

  @Test
  void whoIsNotReachedIsNamedAndTheOthersAreAsked() throws IOException {
    BroadcastConnection some = controllers(DONE, null, DONE, null);
    IOException silent = assertThrows(IOException.class, () -> some.ask(SHUTDOWN));
    assertEquals("no answer from c1, c3", silent.getMessage());
    assertEquals(List.of("2 Shutdown", "0 Shutdown"), asked);
    assertEquals(DENIED, controllers(DENIED, null, STANDBY).ask(SHUTDOWN));
  }

  @Test
  void thisMachinesOwnIsAskedThroughEitherOfItsDoors() throws IOException {
    assertEquals(DONE, controllers(null, DONE, DONE).ask(SHUTDOWN));
  }

  @Test
  void whoMayNotIsToldSoByTheOneThatLeads() throws IOException {
    assertEquals(DENIED, controllers(STANDBY, DENIED, STANDBY).ask(SHUTDOWN));
  }

  @Test
  void allElseGoesToTheOneThatLeads() throws IOException {
    Response pong = new Response.Pong("c", "26.05", null);
    assertEquals(pong, controllers(STANDBY, pong, pong).ask(new Request.Ping()));
    assertEquals(List.of("0 Ping", "1 Ping"), asked);
  }

  @Test
  void nobodyIsThere() {
    assertThrows(IOException.class, () -> controllers(null, null).ask(SHUTDOWN));
  }

  private final class Fake implements ControllerConnection {
    private final int door;
    private final Response answer;

    Fake(int door, Response answer) {
      this.door = door;
      this.answer = answer;
    }

    @Override
    public Response ask(Request request) {
      asked.add(door + " " + request.getClass().getSimpleName());
      return answer;
    }

    @Override
    public Response await(Request request) {
      return ask(request);
    }

    @Override
    public void close() {}
  }
}
