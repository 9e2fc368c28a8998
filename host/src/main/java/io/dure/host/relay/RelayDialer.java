package io.dure.host.relay;

import io.dure.host.net.ConnectLimits;
import io.dure.host.net.Connection;
import io.dure.host.net.ConnectionFactory;
import io.dure.host.trust.ClusterKey;
import io.dure.host.trust.DaemonCertificate;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.RecordCodec;
import io.dure.protocol.step.RelayRequest;
import io.dure.protocol.step.RelayTarget;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Connects to node daemons of other machines. Any thread. */
public final class RelayDialer {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final long PAUSE_MILLIS = 50;
  private static final int MOST_PROOF = 4096;

  private final RecordCodec<RelayRequest> requests = WireCodecs.relayRequests();
  private final SSLContext context = DaemonCertificate.clientContext();
  private final ClusterKey key;
  private final InstantSource clock;

  /** A dialer for the cluster of that key. */
  public RelayDialer(ClusterKey key, InstantSource clock) {
    this.key = key;
    this.clock = clock;
  }

  /**
   * A connection to the daemon of the first target, which has got the request. One that does not
   * listen may be about to start, so it is tried for some seconds.
   */
  RelayLink dial(RelayRequest request) throws IOException {
    RelayTarget first = request.targets().getFirst();
    InetSocketAddress address = new InetSocketAddress(first.host(), first.port());
    long until = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      try {
        return opened(request, first, address);
      } catch (ConnectException e) {
        if (System.nanoTime() - until > 0) {
          throw e;
        }
        pause();
      }
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private RelayLink opened(RelayRequest request, RelayTarget first, InetSocketAddress address)
      throws IOException {
    DaemonConnection daemon = connect(first.node(), address, request.token());
    try {
      daemon.connection().send(requests.encode(request));
      return over(daemon.connection(), daemon.socket());
    } catch (IOException | RuntimeException e) {
      daemon.socket().close();
      throw e;
    }
  }

  /**
   * A connection to the port of a node daemon, which has shown that it is that node's and has got
   * the token.
   *
   * @param node the node
   * @param token says for whom, signed with the cluster key
   */
  public DaemonConnection connect(String node, InetSocketAddress address, String token)
      throws IOException {
    ConnectionFactory.TlsSession session =
        ConnectionFactory.tlsSession(address, context, LIMIT, new ConnectLimits(LIMIT, 0));
    Connection connection = session.connection();
    try {
      byte[] proof = connection.receive(MOST_PROOF);
      if (proof == null) {
        throw new IOException("node " + node + " closed the connection");
      }
      DaemonCertificate.check(
          session.session(), new String(proof, StandardCharsets.UTF_8), node, key, clock.instant());
      connection.send(token.getBytes(StandardCharsets.UTF_8));
      connection.timeLimit(Duration.ZERO);
      RelayLimits.watch(session.socket());
      return new DaemonConnection(connection, session.socket());
    } catch (IOException | RuntimeException e) {
      session.socket().close();
      throw e;
    }
  }

  /**
   * A connection to a node daemon.
   *
   * @param socket below it, by which it is closed even while another thread sends
   */
  public record DaemonConnection(Connection connection, Socket socket) {}

  /**
   * A connection between relays, as a link.
   *
   * @param socket below it, by which it is closed even while another thread sends
   */
  static RelayLink over(Connection connection, Socket socket) {
    return new RelayLink() {
      @Override
      public void send(byte[] message) throws IOException {
        connection.send(message);
      }

      @Override
      public byte @Nullable [] receive() throws IOException {
        byte[] message = connection.receive(RelayLimits.LARGEST);
        if (message != null && !RelayMessage.isWhole(message)) {
          throw new IOException("a message of " + message.length + " bytes");
        }
        return message;
      }

      @Override
      public void close() throws IOException {
        socket.close();
      }
    };
  }
}
