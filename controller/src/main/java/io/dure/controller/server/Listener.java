package io.dure.controller.server;

import io.dure.controller.node.NodeSession;
import io.dure.host.log.Log;
import io.dure.host.net.Connection;
import io.dure.host.net.Connections;
import io.dure.host.net.PeerCredentials;
import io.dure.host.net.UnixListener;
import io.dure.host.trust.PinnedTls;
import io.dure.protocol.Wire;
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
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections: at the unix socket from this machine, where the kernel says who calls, and
 * at the TCP port through TLS, where a signed token says it. Each connection has a virtual thread
 * of its own; their number is bounded.
 */
public final class Listener implements Closeable {
  private static final Duration FIRST_BYTES = Duration.ofSeconds(10);

  /** How long no connection is accepted after the system has refused one, for want of files. */
  private static final Duration REFUSED_PAUSE = Duration.ofMillis(100);

  /** At each of the two addresses, so that strangers far away do not keep out who is near. */
  private static final int MOST_CONNECTIONS = 4096;

  private static final int BACKLOG = 1024;

  private final UnixListener unix;
  private final ServerSocket tcp;
  private final Sockets sockets;
  private final SSLContext tls;
  private final CommandSession.Wiring commands;
  private final NodeSession.Wiring nodes;
  private final Log log;
  private final Semaphore unixSlots;
  private final Semaphore tcpSlots;
  private final Set<Closeable> open = ConcurrentHashMap.newKeySet();

  /**
   * What a listener serves.
   *
   * @param openFiles how many files the system lets this process have open, at least 3; a third
   *     stays free for other things than connections
   */
  public record Services(
      SSLContext tls,
      CommandSession.Wiring commands,
      NodeSession.Wiring nodes,
      int openFiles,
      Log log) {}

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
            "cannot listen at port "
                + port
                + ": "
                + e.getMessage()
                + "; choose another SlurmctldPort or end whoever has it",
            e);
      }
      try {
        return new Sockets(UnixListener.open(socket, 0666, BACKLOG), tcp);
      } catch (IOException e) {
        tcp.close();
        throw new IOException("cannot listen at " + socket + ": " + e.getMessage(), e);
      }
    }

    @Override
    public void close() throws IOException {
      tcp.close();
      try {
        unix.close();
      } catch (IOException e) {
        // its directory belongs to root; a socket nobody listens at is replaced next time
      }
    }
  }

  /** A listener at bound addresses; {@link #start} begins to accept. */
  public Listener(Sockets sockets, Services services) {
    tls = services.tls();
    commands = services.commands();
    nodes = services.nodes();
    log = services.log();
    unix = sockets.unix();
    tcp = sockets.tcp();
    this.sockets = sockets;
    int most = Math.min(MOST_CONNECTIONS, services.openFiles() / 3);
    unixSlots = new Semaphore(most);
    tcpSlots = new Semaphore(most);
  }

  /** Begins to accept. */
  public void start() {
    Thread.ofPlatform().name("accept-unix").daemon().start(this::acceptUnix);
    Thread.ofPlatform().name("accept-tcp").daemon().start(this::acceptTcp);
  }

  private void acceptUnix() {
    accept(
        unixSlots,
        unix.channel()::isOpen,
        () -> {
          SocketChannel channel = unix.accept();
          open.add(channel);
          Thread.ofVirtual()
              .name("local-caller")
              .start(() -> serve(channel, unixSlots, () -> local(channel)));
        });
  }

  private void acceptTcp() {
    accept(
        tcpSlots,
        () -> !tcp.isClosed(),
        () -> {
          Socket socket = tcp.accept();
          open.add(socket);
          Thread.ofVirtual()
              .name("remote-caller")
              .start(() -> serve(socket, tcpSlots, () -> remote(socket)));
        });
  }

  private interface Service {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Accepts until the listener is closed: what the system refuses now, it may grant in a moment.
   */
  private void accept(Semaphore slots, BooleanSupplier listening, Service one) {
    try {
      while (listening.getAsBoolean()) {
        slots.acquire();
        try {
          one.run();
        } catch (IOException e) {
          slots.release();
          if (listening.getAsBoolean()) {
            log.error("cannot accept a connection: " + e.getMessage());
            Thread.sleep(REFUSED_PAUSE);
          }
        }
      }
    } catch (InterruptedException e) {
      // the controller is stopping
    }
  }

  private void serve(Closeable connection, Semaphore slots, Service service) {
    try {
      service.run();
    } catch (IOException | RuntimeException e) {
      // Whatever strangers send must not fill the log: repeats of one text are counted.
      log.verbose("a connection ended: " + e.getMessage());
    } catch (InterruptedException e) {
      // the controller is stopping
    } finally {
      open.remove(connection);
      slots.release();
      try {
        connection.close();
      } catch (IOException e) {
        // it is gone either way
      }
    }
  }

  private void local(SocketChannel channel) throws IOException, InterruptedException {
    PeerCredentials peer = PeerCredentials.of(channel);
    Connection connection = Connections.over(channel, FIRST_BYTES);
    if (connection.receiveMagic() == Wire.COMMAND_MAGIC) {
      new CommandSession(connection, commands).runLocal(peer.uid(), peer.gid());
    }
  }

  private void remote(Socket socket) throws IOException, InterruptedException {
    socket.setTcpNoDelay(true);
    socket.setKeepAlive(true);
    socket.setSoTimeout((int) FIRST_BYTES.toMillis());
    SSLSocket secure = (SSLSocket) tls.getSocketFactory().createSocket(socket, null, true);
    secure.setUseClientMode(false);
    secure.setEnabledProtocols(PinnedTls.protocols());
    secure.startHandshake();
    socket.setSoTimeout(0);
    Connection connection = Connections.over(secure, socket, FIRST_BYTES);
    switch (connection.receiveMagic()) {
      case Wire.COMMAND_MAGIC -> new CommandSession(connection, commands).runRemote();
      case Wire.NODE_MAGIC -> new NodeSession(connection, nodes).run();
      default -> log.verbose("a connection said neither command nor node");
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
