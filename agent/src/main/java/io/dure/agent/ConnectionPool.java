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
    ClusterConnector fresh = new ClusterConnector(configuration, uid, gid);
    Borrower borrower = new Borrower(new ConnectionUser(uid, gid), fresh, turn, caller);
    return new ControllerConnector() {
      @Override
      public ControllerConnection open() throws IOException {
        CallerDisconnectedException.check();
        return lend(borrower, caller::checkPresence);
      }

      @Override
      public ControllerConnection openToFinish() throws IOException {
        return lend(borrower, () -> {});
      }

      @Override
      public ControllerConnector books() {
        return fresh.booksBehind(this);
      }
    };
  }

  private Lent lend(Borrower borrower, Runnable presence) throws IOException {
    Idle found = take(borrower.user());
    return found == null
        ? new Lent(borrower, presence, borrower.port().open(), false)
        : new Lent(borrower, presence, found.connection(), true);
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

  /**
   * What a call has for its connections.
   *
   * @param port opens fresh ones
   * @param turn the call's, taken for what is large
   */
  private record Borrower(
      ConnectionUser user,
      ControllerConnector port,
      LargeListingSlots.Turn turn,
      ClientConversation caller) {}

  /** A connection while a command has it. One thread. */
  private final class Lent implements ControllerConnection {
    private final Borrower borrower;
    private final Runnable presence;
    private ControllerConnection connection;
    private boolean used;
    private boolean broken;

    /**
     * A connection.
     *
     * @param presence throws if nothing more is to be asked, since the caller is gone
     * @param used whether it stood idle: then the controller may have ended it meanwhile
     */
    Lent(Borrower borrower, Runnable presence, ControllerConnection connection, boolean used) {
      this.borrower = borrower;
      this.presence = presence;
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
                borrower.user(),
                borrower.turn(),
                borrower.caller()::makeRoomForRows,
                question -> exchange(question, open -> open.ask(question)));
        if (known != null) {
          return known;
        }
      }
      borrower.turn().end();
      return exchange(request, open -> open.ask(request));
    }

    @Override
    public Response await(Request request) throws IOException {
      borrower.turn().end();
      return exchange(request, open -> open.await(request));
    }

    private Response exchange(Request request, Exchange exchange) throws IOException {
      presence.run();
      if (used && !request.mayRepeat()) {
        renew();
      }
      boolean mayBeOld = used;
      used = false;
      try {
        return exchange.with(connection);
      } catch (IOException e) {
        broken = true;
        presence.run();
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
      presence.run();
      connection = borrower.port().open();
      used = false;
      broken = false;
    }

    @Override
    public void close() {
      if (broken || !keep(borrower.user(), connection)) {
        connection.closeQuietly();
      }
    }
  }
}
