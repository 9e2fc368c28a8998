package io.dure.cli.connect;

import io.dure.cli.command.ControllerConnection;
import io.dure.core.controller.Reply;
import io.dure.core.model.ErrorCode;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A connection to whichever of several controllers leads. A request that did not leave, or that was
 * refused in standby, goes to the next, and so on while any can be reached. One that was sent and
 * not answered may have been carried out: it is repeated only if it may be ({@link
 * Request#mayRepeat}); changes have a name by which the controllers know them again. For one
 * thread.
 */
final class LeaderConnection implements ControllerConnection {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long PAUSE_NANOS = 50_000_000;

  private final Doors doors;
  private int door;
  private @Nullable ControllerConnection current;

  /** The ways to the controllers. */
  interface Doors {
    /** How many there are, at least one. */
    int count();

    /** Connects to one of them. */
    ControllerConnection open(int door) throws IOException;
  }

  /** One question over one connection. */
  private interface Question {
    Response over(ControllerConnection connection) throws IOException;
  }

  /**
   * Connects to the first that answers.
   *
   * @throws IOException if none does
   */
  LeaderConnection(Doors doors) throws IOException {
    this.doors = doors;
    current = connect();
  }

  /** The next that can be reached, each tried once. */
  private ControllerConnection connect() throws IOException {
    IOException last = null;
    for (int i = 0; i < doors.count(); i++) {
      try {
        return doors.open(door);
      } catch (IOException e) {
        last = e;
        door = (door + 1) % doors.count();
      }
    }
    throw last == null ? new IOException("there is no controller") : last;
  }

  @Override
  public Response ask(Request request) throws IOException {
    return exchange(request, connection -> connection.ask(request));
  }

  @Override
  public Response await(Request request) throws IOException {
    return exchange(request, connection -> connection.await(request));
  }

  private Response exchange(Request request, Question question) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    boolean mayBeDone = false;
    for (int tried = 1; ; tried++) {
      IOException trouble = null;
      Response response = null;
      boolean sent = false;
      try {
        if (current == null) {
          current = connect();
        }
        sent = true;
        response = question.over(current);
        if (!standsBy(response)) {
          return response;
        }
        mayBeDone |= response instanceof Response.Failed failed && failed.mayBeDone();
      } catch (NotSentException e) {
        trouble = e;
      } catch (IOException e) {
        trouble = e;
        mayBeDone |= sent && !request.isQuestion();
      }
      leave();
      door = (door + 1) % doors.count();
      boolean late = System.nanoTime() - end > 0 && tried > doors.count();
      if (mayBeDone && (late || !request.mayRepeat() || Thread.currentThread().isInterrupted())) {
        throw unknown(trouble);
      }
      if (late || Thread.currentThread().isInterrupted()) {
        if (response != null) {
          return response;
        }
        throw trouble == null ? new IOException("interrupted") : trouble;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static IOException unknown(@Nullable IOException trouble) {
    String before = trouble == null ? ErrorCode.IN_STANDBY.text() : trouble.getMessage();
    return new IOException(
        before + "; the controller ended before it answered: this may be done or not",
        trouble == null ? null : trouble.getCause());
  }

  private static boolean standsBy(Response response) {
    if (response instanceof Response.Failed failed) {
      return failed.code() == ErrorCode.IN_STANDBY;
    }
    return response instanceof Response.Decided decided
        && decided.reply() instanceof Reply.Refused refused
        && refused.code() == ErrorCode.IN_STANDBY;
  }

  private void leave() {
    try {
      close();
    } catch (IOException e) {
      // it is of no use any more
    }
  }

  @Override
  public void close() throws IOException {
    ControllerConnection open = current;
    current = null;
    if (open != null) {
      open.close();
    }
  }
}
