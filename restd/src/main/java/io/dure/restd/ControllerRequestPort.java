package io.dure.restd;

import io.dure.cli.command.ControllerConnection;
import io.dure.cli.connect.ClusterConnector;
import io.dure.host.user.CurrentProcess;
import io.dure.model.ErrorCode;
import io.dure.model.UserIdentity;
import io.dure.model.command.Caller;
import io.dure.protocol.Request;
import io.dure.protocol.Response;
import io.dure.rest.RequestPort;
import io.dure.rest.RequestSession;
import io.dure.rest.RestCredential;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Requests go to the controllers of the cluster, over a connection for each call, with the
 * credential of whoever asks here: this daemon has no rights of its own. Any thread.
 */
final class ControllerRequestPort implements RequestPort {
  private static final int KIB = 1 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ClusterConnector connector;
  private final Semaphore memoryKib;

  /**
   * A port.
   *
   * @param memoryKib for what all requests together bring
   */
  ControllerRequestPort(ClusterConnector connector, int memoryKib) {
    this.connector = connector;
    this.memoryKib = new Semaphore(memoryKib);
  }

  /** Over the unix socket only this daemon's own user is known, by the kernel. */
  @Override
  public @Nullable RequestSession open(RestCredential credential) throws IOException {
    return switch (credential) {
      case RestCredential.Peer(int uid, _) ->
          uid == CurrentProcess.effectiveUid() ? open(connector) : null;
      case RestCredential.Token(String token, String user) -> open(connector.showing(token, user));
    };
  }

  /** The controller says whom it takes the caller for. */
  private @Nullable RequestSession open(ClusterConnector shown) throws IOException {
    ControllerConnection connection = shown.open();
    try {
      Response told = connection.ask(new Request.Ping());
      if (told instanceof Response.Pong(_, _, UserIdentity caller) && caller != null) {
        return new ConnectionSession(connection, caller);
      }
      connection.closeQuietly();
      if (told instanceof Response.Failed(ErrorCode code, _, _)
          && code == ErrorCode.AUTHENTICATION) {
        return null;
      }
      throw new IOException("the controller does not say who asks");
    } catch (IOException | RuntimeException e) {
      connection.closeQuietly();
      throw e;
    }
  }

  @Override
  public boolean isReady() {
    try (ControllerConnection connection = connector.open()) {
      return connection.ask(new Request.Ping()) instanceof Response.Pong;
    } catch (IOException e) {
      return false;
    }
  }

  /** One call. */
  private final class ConnectionSession implements RequestSession {
    private final ControllerConnection connection;
    private final Caller.User caller;
    private int admittedKib;

    ConnectionSession(ControllerConnection connection, UserIdentity identity) {
      this.connection = connection;
      caller = new Caller.User(identity, List.of(), false);
    }

    @Override
    public Caller.User caller() {
      return caller;
    }

    @Override
    public Response ask(Request request) throws IOException {
      return connection.ask(request);
    }

    @Override
    public void admit(int bytes) throws IOException {
      int kib = bytes / KIB;
      try {
        if (!memoryKib.tryAcquire(kib, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
          throw new IOException("too many large requests at once");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("the daemon is stopping", e);
      }
      admittedKib = kib;
    }

    @Override
    public void close() {
      memoryKib.release(admittedKib);
      connection.closeQuietly();
    }
  }
}
