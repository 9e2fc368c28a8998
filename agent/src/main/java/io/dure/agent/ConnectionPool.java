package io.dure.agent;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.command.ControllerConnector;
import io.dure.cli.connect.ClusterConnector;
import io.dure.host.user.CurrentProcess;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the controller that commands have left behind, for the next command of the same
 * user. Any thread.
 */
final class ConnectionPool implements AutoCloseable {
  private static final long IDLE_NANOS = Duration.ofSeconds(60).toNanos();
  private static final int MOST_IDLE = 64;
  private static final int MOST_IDLE_OF_ONE = 16;

  private final Path configuration;
  private final JobCache jobs;
  private final JobListingResponder listings;
  private final Map<ConnectionUser, Deque<Idle>> idle = new LinkedHashMap<>();
  private int idleCount;
  private boolean closed;

  private record Idle(ControllerConnection connection, long since) {}

  ConnectionPool(Path configuration) {
    this.configuration = configuration;
    this.jobs =
        new JobCache(
            new ClusterConnector(
                configuration, CurrentProcess.effectiveUid(), CurrentProcess.effectiveGid()));
    this.listings = new JobListingResponder(jobs);
  }

  /**
   * The way to the controller for a user whom the kernel has named.
   *
   * @param turn the call's, taken for what is large
   * @param caller the call's conversation: nothing more is asked for a client that is gone
   */
  ControllerConnector of(int uid, int gid, LargeListingSlots.Turn turn, ClientConversation caller) {
    ConnectionUser user = new ConnectionUser(uid, gid);
    ClusterConnector fresh = new ClusterConnector(configuration, uid, gid);
    return new ControllerConnector() {
      @Override
      public ControllerConnection open() throws IOException {
        CallerDisconnectedException.check();
        Idle found = take(user);
        return found == null
            ? new Lent(user, fresh, turn, caller, fresh.open(), false)
            : new Lent(user, fresh, turn, caller, found.connection(), true);
      }

      @Override
      public ControllerConnection openToFinish() throws IOException {
        Idle found = take(user);
        return found == null
            ? new Finishing(user, fresh, turn, caller, fresh.open(), false)
            : new Finishing(user, fresh, turn, caller, found.connection(), true);
      }
    };
  }

  /** Whether a listing of jobs is something large. */
  boolean manyJobs() {
    return listings.large();
  }

  private synchronized @Nullable Idle take(ConnectionUser user) {
    Deque<Idle> own = idle.get(user);
    if (own == null || own.isEmpty()) {
      return null;
    }
    idleCount--;
    return own.pop();
  }

  private synchronized boolean keep(ConnectionUser user, ControllerConnection connection) {
    Deque<Idle> own = idle.computeIfAbsent(user, _ -> new ArrayDeque<>());
    if (closed || idleCount >= MOST_IDLE || own.size() >= MOST_IDLE_OF_ONE) {
      return false;
    }
    own.push(new Idle(connection, System.nanoTime()));
    idleCount++;
    return true;
  }

  /** Closes connections that were idle for a while. */
  synchronized void tidy() {
    long now = System.nanoTime();
    for (Deque<Idle> own : idle.values()) {
      while (!own.isEmpty() && (closed || now - own.peekLast().since() > IDLE_NANOS)) {
        own.removeLast().connection().closeQuietly();
        idleCount--;
      }
    }
    idle.values().removeIf(Deque::isEmpty);
  }

  @Override
  public synchronized void close() {
    closed = true;
    tidy();
    jobs.close();
  }

  /** A connection while a command has it. One thread. */
  private class Lent implements ControllerConnection {
    private final ConnectionUser user;
    private final ControllerConnector port;
    private final LargeListingSlots.Turn turn;
    private final ClientConversation caller;
    private ControllerConnection connection;
    private boolean used;
    private boolean broken;

    /**
     * A connection.
     *
     * @param used whether it stood idle: then the controller may have ended it meanwhile
     */
    Lent(
        ConnectionUser user,
        ControllerConnector port,
        LargeListingSlots.Turn turn,
        ClientConversation caller,
        ControllerConnection connection,
        boolean used) {
      this.user = user;
      this.port = port;
      this.turn = turn;
      this.caller = caller;
      this.connection = connection;
      this.used = used;
    }

    private interface Exchange {
      Response with(ControllerConnection connection) throws IOException;
    }

    @Override
    public Response ask(Request request) throws IOException {
      if (request instanceof Request.ListJobs list) {
        Response known =
            listings.answer(
                list,
                user,
                turn,
                caller::makeRoomForRows,
                question -> exchange(question, open -> open.ask(question)));
        if (known != null) {
          return known;
        }
      }
      turn.end();
      return exchange(request, open -> open.ask(request));
    }

    @Override
    public Response await(Request request) throws IOException {
      turn.end();
      return exchange(request, open -> open.await(request));
    }

    void checkPresence() {
      caller.checkPresence();
    }

    private Response exchange(Request request, Exchange exchange) throws IOException {
      checkPresence();
      if (used && !request.mayRepeat()) {
        renew();
      }
      boolean mayBeOld = used;
      used = false;
      try {
        return exchange.with(connection);
      } catch (IOException e) {
        broken = true;
        checkPresence();
        // One that does not answer in time is not asked again.
        if (!mayBeOld || e.getCause() instanceof SocketTimeoutException) {
          throw e;
        }
      }
      renew();
      return exchange.with(connection);
    }

    /** Takes a fresh connection in place of one that may have ended. */
    private void renew() throws IOException {
      broken = true;
      connection.closeQuietly();
      checkPresence();
      connection = port.open();
      used = false;
      broken = false;
    }

    @Override
    public void close() {
      if (broken || !keep(user, connection)) {
        connection.closeQuietly();
      }
    }
  }

  /** A connection for what has to be done though the caller may be gone. One thread. */
  private final class Finishing extends Lent {
    Finishing(
        ConnectionUser user,
        ControllerConnector port,
        LargeListingSlots.Turn turn,
        ClientConversation caller,
        ControllerConnection connection,
        boolean used) {
      super(user, port, turn, caller, connection, used);
    }

    @Override
    void checkPresence() {}
  }
}
