package io.dure.controller.slurmdbd;

import io.dure.host.net.AcceptLoop;
import io.dure.host.net.Connection;
import io.dure.host.net.ConnectionFactory;
import io.dure.host.trust.AuthToken;
import io.dure.host.trust.ClusterKey;
import io.dure.host.trust.DaemonCertificate;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Listens for controllers. As a node daemon's port has it: TLS with a certificate of its own, which
 * a token that is signed with the daemon's key vouches for; the controller shows a token of the
 * same key.
 */
final class SlurmdbdServer implements Closeable {
  /** What the certificate and the daemon's proof name. */
  static final String NAME = "slurmdbd";

  private static final Duration HANDSHAKE = Duration.ofSeconds(10);
  private static final Duration SKEW = Duration.ofMinutes(5);
  private static final int BACKLOG = 128;
  private static final int MOST_STRANGERS = 256;

  private final ServerSocket port;
  private final ClusterKey key;
  private final DaemonCertificate certificate;
  private final KeptBooks books;
  private final UsageBoard usage;
  private final RunawayDesk runaways = new RunawayDesk();
  private final InstantSource clock;
  private final Logger log;
  private final SecureRandom random = new SecureRandom();
  private final Semaphore strangers = new Semaphore(MOST_STRANGERS);
  private final Set<Closeable> open = ConcurrentHashMap.newKeySet();

  SlurmdbdServer(
      ServerSocket port, ClusterKey key, KeptBooks books, InstantSource clock, Logger log)
      throws IOException {
    this.port = port;
    this.key = key;
    this.books = books;
    usage = new UsageBoard(books.records().privateData());
    this.clock = clock;
    this.log = log;
    certificate = DaemonCertificate.create(NAME, clock.instant(), random);
  }

  /**
   * Takes the port.
   *
   * @param address the address to listen at, null for all
   * @throws IOException if it cannot be had; the message names it
   */
  static ServerSocket bind(@Nullable InetAddress address, int number) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(address, number), BACKLOG);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw new IOException(
          "cannot listen on port "
              + number
              + ": "
              + e.getMessage()
              + "; stop the process that uses it or set another DbdPort",
          e);
    }
  }

  /** Begins to accept. */
  void start() {
    var _ =
        Thread.ofPlatform()
            .name("accept")
            .daemon()
            .start(
                new AcceptLoop(
                        "port " + port.getLocalPort(),
                        () -> !port.isClosed(),
                        () -> begin(port.accept()),
                        log)
                    ::run);
  }

  private void begin(Socket socket) throws IOException {
    if (!strangers.tryAcquire()) {
      socket.close();
      return;
    }
    open.add(socket);
    var _ =
        Thread.ofVirtual()
            .name("controller " + socket.getInetAddress())
            .start(() -> {
              try (socket) {
                serve(socket);
              } catch (IOException | RuntimeException e) {
                log.info("the connection from {} ended: {}", socket.getInetAddress(), e.toString());
              } catch (InterruptedException e) {
                // the daemon is stopping
              } finally {
                open.remove(socket);
              }
            });
  }

  private void serve(Socket socket) throws IOException, InterruptedException {
    Connection connection;
    try {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      connection = ConnectionFactory.accepted(socket, certificate.context(), HANDSHAKE);
      String proof = certificate.proof(key, NAME, clock.instant(), random);
      connection.send(proof.getBytes(StandardCharsets.UTF_8));
      check(connection.receive(AuthToken.MAX_LENGTH), socket.getInetAddress());
    } finally {
      strangers.release();
    }
    connection.timeLimit(Duration.ZERO);
    new SlurmdbdSession(connection, books, usage, runaways).run();
  }

  private void check(byte @Nullable [] shown, InetAddress from) throws IOException {
    String text = shown == null ? "" : new String(shown, StandardCharsets.UTF_8);
    if (!(AuthToken.verify(text, key, clock.instant(), SKEW) instanceof AuthToken.Verdict.Valid)) {
      if (!text.isEmpty()) {
        log.error(
            "a connection from {} was refused: its token is not valid; compare slurmdbd.key and the"
                + " clocks",
            from);
      }
      throw new IOException("no valid token");
    }
  }

  @Override
  public void close() throws IOException {
    port.close();
    for (Closeable connection : open) {
      connection.close();
    }
  }
}
