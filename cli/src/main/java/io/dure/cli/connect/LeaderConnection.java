package io.dure.cli.connect;

import io.dure.cli.command.ControllerConnection;
import io.dure.model.ErrorCode;
import io.dure.model.command.Reply;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A connection to whichever of several controllers leads. A request that did not leave, or that was
 * refused in standby, goes to the next, and so on while any can be reached. One that was sent and
 * not answered may have been carried out: it is repeated only if it may be ({@link
 * Request#mayRepeat}); changes have a name by which the controllers know them again. A refusal that
 * is no decision does not tell what came of such a one. While a controller is silent, the others
 * are asked whether one of them leads by now. For one thread.
 */
final class LeaderConnection implements ControllerConnection {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The next is tried before a machine that is gone has had all of its time. */
  private static final Duration HURRY = Duration.ofSeconds(2);

  private static final long FIRST_PAUSE_NANOS = 10_000_000;
  private static final long LONGEST_PAUSE_NANOS = 200_000_000;

  private final ConnectionOpeners doors;
  private final Duration patience;
  private int door;

  /** By door, while it is open: those in standby stay so as long as a leader is sought. */
  private final @Nullable ControllerConnection[] open;

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
    this(doors, PATIENCE);
  }

  /**
   * The same with another patience.
   *
   * @param patience how long a leader is sought
   */
  LeaderConnection(ConnectionOpeners doors, Duration patience) throws IOException {
    this.doors = doors;
    this.patience = patience;
    open = new ControllerConnection[doors.count()];
    long end = System.nanoTime() + patience.toNanos();
    IOException last = null;
    for (int i = 0; i < 2 * doors.count(); i++) {
      try {
        var _ = opened(longest(i, end));
        return;
      } catch (IOException e) {
        last = e;
        door = (door + 1) % doors.count();
      }
    }
    throw last == null ? new IOException("there is no controller") : last;
  }

  /** In the first round little: one that is silent may be none. Later more, if there is time. */
  private Duration longest(int tried, long end) {
    Duration patient = HURRY.multipliedBy(1L + tried / doors.count());
    Duration left = Duration.ofNanos(end - System.nanoTime());
    Duration longest = patient.compareTo(left) < 0 ? patient : left;
    return longest.compareTo(HURRY) < 0 ? HURRY : longest;
  }

  private ControllerConnection opened(Duration longest) throws IOException {
    ControllerConnection now = open[door];
    if (now == null) {
      now = doors.open(door, longest);
      open[door] = now;
    }
    return now;
  }

  @Override
  public Response ask(Request request) throws IOException {
    return exchange(request, true, connection -> connection.ask(request));
  }

  @Override
  public Response await(Request request) throws IOException {
    return exchange(request, false, connection -> connection.await(request));
  }

  /**
   * Asks until there is an answer.
   *
   * @param bounded whether a controller that is silent is left when the time is over
   */
  private Response exchange(Request request, boolean bounded, Question question)
      throws IOException {
    long end = System.nanoTime() + patience.toNanos();
    long pause = FIRST_PAUSE_NANOS;
    boolean mayBeDone = false;
    Response leaderless = null;
    for (int tried = 1; ; tried++) {
      IOException trouble = null;
      Response response = null;
      boolean sent = false;
      int leader = -1;
      try {
        ControllerConnection now = opened(longest(tried - 1, end));
        sent = true;
        LeaderWatch watch = new LeaderWatch(doors, door, now, until(request, bounded, end, tried));
        try {
          response = question.over(now);
        } finally {
          leader = watch.stop();
        }
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
      door = leader >= 0 ? leader : (door + 1) % doors.count();
      if (leaderless != null && tried >= doors.count()) {
        return leaderless;
      }
      boolean late = System.nanoTime() - end > 0 && tried > doors.count();
      if (mayBeDone && (late || !request.mayRepeat() || Thread.currentThread().isInterrupted())) {
        throw unknown(trouble, response, late);
      }
      if (late || Thread.currentThread().isInterrupted()) {
        if (response != null) {
          return response;
        }
        throw trouble == null
            ? new IOException("interrupted")
            : new IOException(trouble.getMessage(), late ? overdue() : trouble);
      }
      if (tried % doors.count() == 0) {
        LockSupport.parkNanos(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      }
    }
  }

  /**
   * When a controller that says nothing is left: in the first round so that the others still have
   * some time. Each controller that runs says at once which one leads.
   */
  private long until(Request request, boolean bounded, long end, int tried) {
    if (request instanceof Request.ShowReplicas) {
      return System.nanoTime() + HURRY.toNanos();
    }
    long others = tried > doors.count() ? 0 : HURRY.multipliedBy(doors.count()).toNanos();
    return bounded ? end - others : Long.MAX_VALUE;
  }

  /** Says that the whole time is over: a caller that gets it does not ask again. */
  private static SocketTimeoutException overdue() {
    return new SocketTimeoutException("no leader was found in time");
  }

  private static IOException unknown(
      @Nullable IOException trouble, @Nullable Response response, boolean late) {
    ErrorCode code =
        response instanceof Response.Failed failed ? failed.code() : ErrorCode.IN_STANDBY;
    String before = trouble == null ? code.text() : trouble.getMessage();
    return new IOException(
        before + "; the controller ended before it answered: this may be done or not",
        late ? overdue() : trouble == null ? null : trouble.getCause());
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
