package io.dure.host.net;

import io.dure.host.trust.PinnedTls;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/**
 * Opens connections to the daemons. Any thread may call; each call blocks until the connection
 * stands or has failed.
 */
public final class ConnectionFactory {
  private static final int OTHER_DESCRIPTORS = 256;
  private static final int FEWEST = 64;

  private ConnectionFactory() {}

  /**
   * Connects to a daemon of this machine.
   *
   * @param limit time limit of each later send and receive; zero means none
   * @throws java.net.SocketException if there is no socket of that name, or no process listens on
   *     it
   */
  public static Connection unix(Path socket, Duration limit) throws IOException {
    return over(SocketChannel.open(UnixDomainSocketAddress.of(socket)), limit);
  }

  /** The same over a channel that a listener has accepted, which must be in blocking mode. */
  public static Connection over(SocketChannel channel, Duration limit) {
    StreamFrameConnection connection =
        new StreamFrameConnection(
            new BufferedInputStream(Channels.newInputStream(channel)),
            Channels.newOutputStream(channel),
            channel,
            channel);
    connection.timeLimit(limit);
    return connection;
  }

  /**
   * The server's side of a socket that a listener has accepted: the handshake is over when this
   * returns.
   *
   * @param limit time limit of the whole handshake, however slowly the peer sends, and of each
   *     later send and receive; the socket is closed when it is over
   */
  public static Connection accepted(Socket raw, SSLContext context, Duration limit)
      throws IOException {
    ConnectionWatchdog handshake = new ConnectionWatchdog(raw);
    handshake.start(limit.toNanos());
    try {
      SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(raw, null, true);
      secure.setUseClientMode(false);
      secure.setEnabledProtocols(PinnedTls.protocols());
      secure.setEnabledCipherSuites(PinnedTls.ciphers());
      secure.startHandshake();
      StreamFrameConnection connection =
          new StreamFrameConnection(secure.getInputStream(), secure.getOutputStream(), secure, raw);
      connection.timeLimit(limit);
      return connection;
    } finally {
      handshake.end();
    }
  }

  /**
   * Connects to a daemon through TLS; the handshake is over when this returns.
   *
   * @param context says which server to trust, see {@link PinnedTls}
   * @param limit time limit of the handshake, and of each later send and receive; zero means none
   * @param limits time limit of connecting beside that one, and what comes of an unreachable host
   * @throws java.net.ConnectException if no process listens there
   * @throws java.net.SocketTimeoutException if time was over
   * @throws javax.net.ssl.SSLException if the other side is not trusted
   */
  public static Connection tls(
      InetSocketAddress address, SSLContext context, Duration limit, ConnectLimits limits)
      throws IOException {
    return tlsSession(address, context, limit, limits).connection();
  }

  /**
   * A connection, and what the other side has shown.
   *
   * @param session of the handshake
   * @param socket below it: closing that ends the connection at once, whatever waits for it
   */
  public record TlsSession(Connection connection, SSLSession session, Socket socket) {}

  /** The same as {@link #tls}, for those that look at the certificate by themselves. */
  public static TlsSession tlsSession(
      InetSocketAddress address, SSLContext context, Duration limit, ConnectLimits limits)
      throws IOException {
    Duration connecting =
        limit.isZero() || limit.compareTo(limits.timeout()) > 0 ? limits.timeout() : limit;
    Socket raw = connected(Socket::new, address, new ConnectLimits(connecting, limits.retries()));
    try {
      int millis = Math.clamp(limit.toMillis(), 0, Integer.MAX_VALUE);
      raw.setTcpNoDelay(true);
      raw.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      raw.setSoTimeout(millis);
      SSLSocket socket =
          (SSLSocket)
              context
                  .getSocketFactory()
                  .createSocket(raw, address.getHostString(), address.getPort(), true);
      socket.setEnabledProtocols(PinnedTls.protocols());
      socket.setEnabledCipherSuites(PinnedTls.ciphers());
      socket.startHandshake();
      raw.setSoTimeout(0);
      StreamFrameConnection connection =
          new StreamFrameConnection(socket.getInputStream(), socket.getOutputStream(), socket, raw);
      connection.timeLimit(limit);
      return new TlsSession(connection, socket.getSession(), raw);
    } catch (IOException | RuntimeException e) {
      raw.close();
      throw e;
    }
  }

  /** A connected socket; where no route leads to the host it is tried again so often. */
  static Socket connected(Supplier<Socket> sockets, InetSocketAddress address, ConnectLimits limits)
      throws IOException {
    int millis = Math.clamp(limits.timeout().toMillis(), 1, Integer.MAX_VALUE);
    for (int tries = 0; ; tries++) {
      Socket socket = sockets.get();
      try {
        socket.connect(address, millis);
        return socket;
      } catch (NoRouteToHostException e) {
        socket.close();
        if (tries >= limits.retries()) {
          throw e;
        }
      } catch (IOException | RuntimeException e) {
        socket.close();
        throw e;
      }
    }
  }

  /**
   * How many connections a process with so many file descriptors can hold, but at most that many.
   */
  public static int affordable(long descriptors, int most) {
    return Math.clamp(descriptors - OTHER_DESCRIPTORS, FEWEST, most);
  }
}
