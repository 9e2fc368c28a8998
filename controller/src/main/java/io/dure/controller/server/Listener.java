package io.dure.controller.server;

import io.dure.controller.node.NodeSession;
import io.dure.controller.replica.link.PeerSession;
import io.dure.host.log.LogMarkers;
import io.dure.host.net.AcceptLoop;
import io.dure.host.net.Connection;
import io.dure.host.net.ConnectionFactory;
import io.dure.host.net.PeerCredentials;
import io.dure.host.net.UnixListener;
import io.dure.host.quota.Quota;
import io.dure.host.user.CurrentProcess;
import io.dure.protocol.WireCodecs;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Accepts connections: at the unix socket from this machine, where the kernel identifies callers,
 * and at the TCP port through TLS, where a signed token says it. Each connection has a thread of
 * its own; their number is bounded.
 */
public final class Listener implements Closeable {
  private static final Duration FIRST_BYTES = Duration.ofSeconds(10);
  private static final int MOST_CONNECTIONS = 16_384;
  private static final int BACKLOG = 1024;

  /**
   * So many connections have a thread of the system, which wakes for a message in one step where a
   * virtual one takes three; more would cost memory.
   */
  private static final int SYSTEM_THREADS = 64;

  private final UnixListener unix;
  private final ServerSocket tcp;
  private final Sockets sockets;
  private final SSLContext tls;
  private final CommandSession.CommandServices commands;
  private final Supplier<NodeSession.@Nullable SessionServices> nodes;
  private final PeerSession.@Nullable Wiring peers;
  private final Logger log;
  private final Quota<Integer> userConnections;
  private final Quota<InetAddress> addressConnections;
  private final Semaphore systemThreads = new Semaphore(SYSTEM_THREADS);
  private final Set<Closeable> open = ConcurrentHashMap.newKeySet();

  /**
   * What a listener serves.
   *
   * @param nodes null while this controller is in standby: node daemons are hung up on, and call
   *     the next
   * @param mostNodes so many node daemons may be connected beside other callers, also from one
   *     address
   * @param peers hears the other controllers, null where there are none
   */
  public record Services(
      SSLContext tls,
      CommandSession.CommandServices commands,
      Supplier<NodeSession.@Nullable SessionServices> nodes,
      int mostNodes,
      PeerSession.@Nullable Wiring peers,
      Logger log) {}

  /** The addresses of a controller, bound. */
  public record Sockets(UnixListener unix, ServerSocket tcp) implements Closeable {

    /**
     * Takes both addresses.
     *
     * @param address the address to listen at, null for all
     * @throws IOException if one of them cannot be had; the message names it
     */
    public static Sockets bind(Path socket, @Nullable InetAddress address, int port)
        throws IOException {
      ServerSocket tcp = new ServerSocket();
      try {
        tcp.setReuseAddress(true);
        tcp.bind(new InetSocketAddress(address, port), BACKLOG);
      } catch (IOException e) {
        tcp.close();
        throw new IOException(
            "cannot listen on port "
                + port
                + ": "
                + e.getMessage()
                + "; stop the process that uses it or set another SlurmctldPort",
            e);
      }
      try {
        return new Sockets(UnixListener.open(socket, 0666, BACKLOG), tcp);
      } catch (IOException e) {
        tcp.close();
        throw new IOException("cannot listen on " + socket + ": " + e.getMessage(), e);
      }
    }

    @Override
    public void close() throws IOException {
      tcp.close();
      try {
        unix.close();
      } catch (IOException e) {
        // its directory belongs to root; a socket without a listener is replaced next time
      }
    }
  }

  /** A listener at bound addresses; {@link #start} begins to accept. */
  public Listener(Sockets sockets, Services services) {
    tls = services.tls();
    commands = services.commands();
    nodes = services.nodes();
    peers = services.peers();
    log = services.log();
    unix = sockets.unix();
    tcp = sockets.tcp();
    this.sockets = sockets;
    int most =
        ConnectionFactory.affordable(
            CurrentProcess.openFilesLimit() - services.mostNodes(), MOST_CONNECTIONS);
    // Root is exempt: whatever users do, it can connect.
    userConnections = new Quota<>(most / 2, most / 4, Set.of(0));
    addressConnections =
        new Quota<>(most / 2 + services.mostNodes(), most / 4 + services.mostNodes());
  }

  /** Begins to accept. */
  public void start() {
    Thread.ofPlatform().name("accept-unix").daemon().start(this::acceptUnix);
    Thread.ofPlatform().name("accept-tcp").daemon().start(this::acceptTcp);
  }

  private void acceptUnix() {
    new AcceptLoop(
            "unix socket",
            unix.channel()::isOpen,
            () -> {
              SocketChannel channel = unix.accept();
              begin(
                  channel,
                  userConnections,
                  () -> PeerCredentials.of(channel).uid(),
                  () -> local(channel));
            },
            log)
        .run();
  }

  private void acceptTcp() {
    new AcceptLoop(
            "port",
            () -> !tcp.isClosed(),
            () -> {
              Socket socket = tcp.accept();
              begin(socket, addressConnections, socket::getInetAddress, () -> remote(socket));
            },
            log)
        .run();
  }

  private interface CallerLookup<K> {
    K get() throws IOException;
  }

  private <K> void begin(
      Closeable connection, Quota<K> quota, CallerLookup<K> lookup, Service service)
      throws IOException {
    K caller;
    try {
      caller = lookup.get();
    } catch (IOException e) {
      connection.close();
      log.info(LogMarkers.VERBOSE, "connection closed: " + e.getMessage());
      return;
    }
    if (!quota.tryAcquire(caller, 1)) {
      connection.close();
      String kind = caller instanceof InetAddress ? "address " : "user ";
      log.error("too many connections of " + kind + caller + ": closed the newest");
      return;
    }
    open.add(connection);
    boolean system = systemThreads.tryAcquire();
    Thread.Builder thread = system ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
    var _ =
        thread
            .name("caller")
            .start(() -> {
              try {
                serve(connection, service);
              } finally {
                quota.release(caller, 1);
                if (system) {
                  systemThreads.release();
                }
              }
            });
  }

  private interface Service {
    void run() throws IOException, InterruptedException;
  }

  private void serve(Closeable connection, Service service) {
    try {
      service.run();
    } catch (IOException | RuntimeException e) {
      // Whatever strangers send must not fill the log: repeats of one text are counted.
      log.info(LogMarkers.VERBOSE, "connection closed: " + e.getMessage());
    } catch (InterruptedException e) {
      // the controller is stopping
    } finally {
      open.remove(connection);
      try {
        connection.close();
      } catch (IOException e) {
        // it is gone either way
      }
    }
  }

  private void local(SocketChannel channel) throws IOException, InterruptedException {
    PeerCredentials peer = PeerCredentials.of(channel);
    Connection connection = ConnectionFactory.over(channel, FIRST_BYTES);
    CommandSession session = new CommandSession(connection, commands);
    switch (connection.receiveMagic()) {
      case WireCodecs.COMMAND_MAGIC -> session.runLocal(peer.uid(), peer.gid());
      case WireCodecs.AGENT_MAGIC -> {
        // Here the kernel identifies the caller: users cannot use tokens of others.
        boolean trusted = peer.uid() == 0 || peer.uid() == CurrentProcess.effectiveUid();
        session.runWithToken(
            trusted ? null : "user " + peer.uid() + " may not act for other users");
      }
      default -> log.info(LogMarkers.VERBOSE, "closed a local connection: unknown protocol");
    }
  }

  private void remote(Socket socket) throws IOException, InterruptedException {
    socket.setTcpNoDelay(true);
    socket.setKeepAlive(true);
    Connection connection = ConnectionFactory.accepted(socket, tls, FIRST_BYTES);
    switch (connection.receiveMagic()) {
      case WireCodecs.COMMAND_MAGIC -> new CommandSession(connection, commands).runWithToken(null);
      case WireCodecs.NODE_MAGIC -> {
        NodeSession.SessionServices leading = nodes.get();
        if (leading != null) {
          new NodeSession(connection, leading).run();
        }
      }
      case WireCodecs.PEER_MAGIC -> {
        if (peers != null) {
          new PeerSession(connection, peers).run();
        }
      }
      default -> log.info(LogMarkers.VERBOSE, "closed a connection: unknown protocol");
    }
  }

  @Override
  public void close() throws IOException {
    sockets.close();
    for (Closeable connection : open) {
      connection.close();
    }
  }
}
