package io.dure.host.relay;

import io.dure.host.net.AcceptLoop;
import io.dure.host.net.Connection;
import io.dure.host.net.ConnectionFactory;
import io.dure.host.quota.Quota;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.host.trust.DaemonCertificate;
import io.dure.protocol.WireCodecs;
import io.dure.protocol.codec.MalformedMessageException;
import io.dure.protocol.codec.RecordCodec;
import io.dure.protocol.step.RelayRequest;
import io.dure.protocol.step.RelayTarget;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A node daemon's port for front ends of other machines, and for other daemons: TLS, then a token.
 * One that names a user is followed by frames of one step; what may be started is decided at the
 * daemon's own socket, as for users of its machine. One that names a node is that daemon's, which
 * speaks for itself.
 */
public final class RelayServer implements Closeable {
  private static final Duration HANDSHAKE = Duration.ofSeconds(10);
  private static final Duration SKEW = Duration.ofMinutes(5);
  private static final long PATIENCE_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long PAUSE_MILLIS = 20;
  private static final long BIND_SECONDS = 5;
  private static final int BACKLOG = 1024;
  private static final int MOST_STRANGERS = 1024;
  private static final int MOST_CONNECTIONS = 4096;

  private final RecordCodec<RelayRequest> requests = WireCodecs.relayRequests().strict();
  private final SecureRandom random = new SecureRandom();

  /** Connections that have shown no token yet. */
  private final Quota<InetAddress> strangers = new Quota<>(MOST_STRANGERS, MOST_STRANGERS / 4);

  private final Quota<Integer> users =
      new Quota<>(MOST_CONNECTIONS, MOST_CONNECTIONS / 4, Set.of(0));
  private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final String node;
  private final ClusterKey key;
  private final Path stepSocket;
  private final Peers peers;
  private final RelayDialer dialer;
  private final InstantSource clock;
  private final Logger log;
  private volatile @Nullable ServerSocket port;
  private @Nullable DaemonCertificate certificate;

  /** Speaks with daemons of other nodes. */
  public interface Peers {
    /**
     * Speaks with one until it is gone.
     *
     * @param socket below the connection
     */
    void serve(Connection connection, Socket socket) throws IOException;
  }

  /**
   * A server that does not listen yet.
   *
   * @param stepSocket where the node's own steps are taken
   * @param peers what daemons of other nodes get to speak with
   */
  public RelayServer(
      String node, ClusterKey key, Path stepSocket, Peers peers, InstantSource clock, Logger log) {
    this.node = node;
    this.key = key;
    this.stepSocket = stepSocket;
    this.peers = peers;
    this.dialer = new RelayDialer(key, clock);
    this.clock = clock;
    this.log = log;
  }

  /**
   * Listens from now on; while another process has the port, it tries again.
   *
   * @param address the address to listen at, null for all
   */
  public void start(@Nullable InetAddress address, int number) {
    Thread.ofVirtual().name("step port").start(() -> listen(address, number));
  }

  private void listen(@Nullable InetAddress address, int number) {
    ServerSocket bound = bound(address, number);
    if (bound == null) {
      return;
    }
    new AcceptLoop("port " + number, () -> !bound.isClosed(), () -> begin(bound.accept()), log)
        .run();
  }

  private @Nullable ServerSocket bound(@Nullable InetAddress address, int number) {
    boolean told = false;
    try {
      do {
        try {
          return opened(new InetSocketAddress(address, number));
        } catch (IOException e) {
          if (!told) {
            log.error(
                "cannot listen on port "
                    + number
                    + ": "
                    + e.getMessage()
                    + "; steps that are started on other machines do not reach this node until"
                    + " the port is free (SlurmdPort, or Port in the node's line)");
          }
          told = true;
        }
      } while (!closed.await(BIND_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return null;
  }

  private ServerSocket opened(InetSocketAddress address) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(address, BACKLOG);
      port = socket;
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private void begin(Socket socket) throws IOException {
    InetAddress from = socket.getInetAddress();
    if (!strangers.tryAcquire(from, 1)) {
      socket.close();
      return;
    }
    open.add(socket);
    Thread.ofVirtual()
        .name("step from " + from)
        .start(() -> {
          try (socket) {
            serve(socket);
          } catch (IOException e) {
            log.debug("a step's connection ended: " + e.getMessage());
          } finally {
            open.remove(socket);
          }
        });
  }

  private void serve(Socket socket) throws IOException {
    InetAddress from = socket.getInetAddress();
    Connection connection;
    AuthToken user;
    try {
      socket.setTcpNoDelay(true);
      RelayLimits.watch(socket);
      DaemonCertificate shown = certificate();
      connection = ConnectionFactory.accepted(socket, shown.context(), HANDSHAKE);
      String proof = shown.proof(key, node, clock.instant(), random);
      connection.send(proof.getBytes(StandardCharsets.UTF_8));
      user = caller(connection.receive(AuthToken.MAX_LENGTH), from);
    } finally {
      strangers.release(from, 1);
    }
    if (user.kind() == AuthToken.Kind.NODE) {
      connection.timeLimit(Duration.ZERO);
      peers.serve(connection, socket);
      return;
    }
    if (!users.tryAcquire(user.uid(), 1)) {
      log.error("user " + user.uid() + " has too many connections to the port for steps");
      return;
    }
    try {
      relay(connection, socket, user);
    } finally {
      users.release(user.uid(), 1);
    }
  }

  private void relay(Connection connection, Socket socket, AuthToken user) throws IOException {
    byte[] asked = connection.receive(RelayLimits.LARGEST);
    if (asked == null) {
      return;
    }
    RelayRequest request;
    try {
      request = RelayLimits.checked(requests.decode(asked));
    } catch (MalformedMessageException e) {
      throw new IOException("a request that is not understood", e);
    }
    RelayTarget first = request.targets().getFirst();
    if (!first.node().equals(node)) {
      throw new IOException("a request for node " + first.node());
    }
    connection.timeLimit(Duration.ZERO);
    RelayLink front = RelayDialer.over(connection, socket);
    try (StepRelay relay = new StepRelay(dialer, request, front, log)) {
      relay.run(() -> StepFrameLink.toDaemon(first.index(), ownSocket(), user.uid(), user.gid()));
    }
  }

  private AuthToken caller(byte @Nullable [] shown, InetAddress from) throws IOException {
    String text = shown == null ? "" : new String(shown, StandardCharsets.UTF_8);
    if (AuthToken.verify(text, key, clock.instant(), SKEW)
            instanceof AuthToken.Verdict.Valid(AuthToken token)
        && (token.kind() == AuthToken.Kind.USER || token.kind() == AuthToken.Kind.NODE)) {
      return token;
    }
    if (!text.isEmpty()) {
      log.error(
          "a step's connection from "
              + from
              + " was refused: its token is not valid; compare dure.key and the clocks");
    }
    throw new IOException("no valid token");
  }

  /** The daemon's own door; it opens when a controller has welcomed the daemon. */
  private SocketChannel ownSocket() throws IOException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        return SocketChannel.open(UnixDomainSocketAddress.of(stepSocket));
      } catch (IOException e) {
        if (System.nanoTime() - until > 0) {
          throw e;
        }
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  /** Made when it is first needed, for it takes memory. */
  private synchronized DaemonCertificate certificate() throws IOException {
    DaemonCertificate made = certificate;
    if (made == null) {
      made = DaemonCertificate.create(node, clock.instant(), random);
      certificate = made;
    }
    return made;
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    ServerSocket now = port;
    if (now != null) {
      now.close();
    }
    for (Closeable connection : open) {
      connection.close();
    }
  }
}
