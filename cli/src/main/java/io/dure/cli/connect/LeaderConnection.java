package io.dure.cli.connect;

import io.dure.cli.command.ControllerConnection;
import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
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
 * Request#mayRepeat}); changes have a name by which the controllers know them again. A refusal that
 * is no decision does not tell what came of such a one. For one thread.
 */
final class LeaderConnection implements ControllerConnection {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long FIRST_PAUSE_NANOS = 10_000_000;
  private static final long LONGEST_PAUSE_NANOS = 200_000_000;

  private final ConnectionOpeners doors;
  private int door;

  /** By door, while it is open: those in standby stay so as long as a leader is sought. */
  private final @Nullable ControllerConnection[] open;

  /** The ways to the controllers. */
  interface ConnectionOpeners {
    /** How many there are, at least one. */
    int count();

    /** Connects to one of them. */
    ControllerConnection open(int door) throws IOException;

    /** The controller behind it, for people; null if another door leads to the same one. */
    @Nullable String name(int door);
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
  LeaderConnection(ConnectionOpeners doors) throws IOException {
    this.doors = doors;
    open = new ControllerConnection[doors.count()];
    IOException last = null;
    // The first time round they have little time: one that is silent may be none.
    for (int i = 0; i < 2 * doors.count(); i++) {
      try {
        var _ = opened();
        return;
      } catch (IOException e) {
        last = e;
        door = (door + 1) % doors.count();
      }
    }
    throw last == null ? new IOException("there is no controller") : last;
  }

  private ControllerConnection opened() throws IOException {
    ControllerConnection now = open[door];
    if (now == null) {
      now = doors.open(door);
      open[door] = now;
    }
    return now;
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
    long pause = FIRST_PAUSE_NANOS;
    boolean mayBeDone = false;
    Response leaderless = null;
    for (int tried = 1; ; tried++) {
      IOException trouble = null;
      Response response = null;
      boolean sent = false;
      try {
        ControllerConnection now = opened();
        sent = true;
        response = question.over(now);
        if (isWithoutLeader(response)) {
          leaderless = response;
        } else if (!standsBy(response) && !(mayBeDone && isUndecided(request, response))) {
          closeOthers();
          return response;
        }
        mayBeDone |= response instanceof Response.Failed failed && failed.mayBeDone();
      } catch (RequestNotSentException e) {
        trouble = e;
        leave(door);
      } catch (IOException e) {
        trouble = e;
        leave(door);
        mayBeDone |= sent && !request.isQuestion();
      }
      door = (door + 1) % doors.count();
      if (leaderless != null && tried >= doors.count()) {
        return leaderless;
      }
      boolean late = System.nanoTime() - end > 0 && tried > doors.count();
      if (mayBeDone && (late || !request.mayRepeat() || Thread.currentThread().isInterrupted())) {
        throw unknown(trouble, response);
      }
      if (late || Thread.currentThread().isInterrupted()) {
        if (response != null) {
          return response;
        }
        throw trouble == null ? new IOException("interrupted") : trouble;
      }
      if (tried % doors.count() == 0) {
        LockSupport.parkNanos(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      }
    }
  }

  private static IOException unknown(@Nullable IOException trouble, @Nullable Response response) {
    ErrorCode code =
        response instanceof Response.Failed failed ? failed.code() : ErrorCode.IN_STANDBY;
    String before = trouble == null ? code.text() : trouble.getMessage();
    return new IOException(
        before + "; the controller ended before it answered: this may be done or not",
        trouble == null ? null : trouble.getCause());
  }

  /**
   * Whether the request was not looked at, so that this says nothing of an earlier attempt. A
   * change that was looked at has a decision.
   */
  private static boolean isUndecided(Request request, Response response) {
    return response instanceof Response.Failed failed
        && (request instanceof Request.Change
            || failed.code() == ErrorCode.RATE_LIMITED
            || failed.code() == ErrorCode.CANNOT_STORE);
  }

  private static boolean standsBy(Response response) {
    if (response instanceof Response.Failed failed) {
      return failed.code() == ErrorCode.IN_STANDBY;
    }
    return response instanceof Response.Decided decided
        && decided.reply() instanceof Reply.Refused refused
        && refused.code() == ErrorCode.IN_STANDBY;
  }

  /** A replica that knows of no leader may be cut off from others that know of one. */
  private static boolean isWithoutLeader(Response response) {
    return response instanceof Response.Replicas replicas
        && replicas.replicas().stream().noneMatch(replica -> replica.role().equals("LEADER"));
  }

  private void closeOthers() {
    for (int i = 0; i < open.length; i++) {
      if (i != door) {
        leave(i);
      }
    }
  }

  private void leave(int which) {
    ControllerConnection last = open[which];
    open[which] = null;
    if (last != null) {
      last.closeQuietly();
    }
  }

  @Override
  public void close() {
    for (int i = 0; i < open.length; i++) {
      leave(i);
    }
  }
}
