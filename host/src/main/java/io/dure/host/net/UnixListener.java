package io.dure.host.net;

import io.dure.host.storage.FileModes;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The socket at which a daemon hears the programs of its own machine.
 *
 * <p>A socket left over by a killed daemon is replaced; so hold the daemon's pid file before
 * opening this. One thread accepts, any thread may close.
 */
public final class UnixListener implements Closeable {
  private static final int TYPE = 0170000;
  private static final int SOCKET = 0140000;

  private final Path path;
  private final ServerSocketChannel channel;
  private final @Nullable Object identity;

  private UnixListener(Path path, ServerSocketChannel channel) {
    this.path = path;
    this.channel = channel;
    this.identity = identity(path);
  }

  /**
   * Listens at {@code path}.
   *
   * @param mode permission bits: 0666 lets every user connect
   * @param backlog connections that may wait to be accepted, 1 or more
   * @throws FileAlreadyExistsException if something that is no socket has the name
   * @throws IOException if the directory does not exist or may not be written, or the name is
   *     longer than a socket's may be (107 bytes)
   */
  public static UnixListener open(Path path, int mode, int backlog) throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      int type = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & TYPE;
      if (type != SOCKET) {
        throw new FileAlreadyExistsException(path.toString(), null, "exists and is no socket");
      }
      Files.delete(path);
    }
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      channel.bind(UnixDomainSocketAddress.of(path), backlog);
      FileModes.setMode(path, mode);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return new UnixListener(path, channel);
  }

  /**
   * Waits for the next connection.
   *
   * @throws java.nio.channels.ClosedChannelException if this listener is closed
   */
  public SocketChannel accept() throws IOException {
    return channel.accept();
  }

  /** The server channel, for a framework that accepts by itself. */
  public ServerSocketChannel channel() {
    return channel;
  }

  /** Whether connections to the path still arrive here. */
  public boolean isInPlace() {
    Object found = identity(path);
    return found != null && found.equals(identity);
  }

  /** Device and inode; null if there is nothing. */
  private static @Nullable Object identity(Path path) {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .fileKey();
    } catch (IOException e) {
      return null;
    }
  }

  /** Stops listening and removes the socket, unless it is another's by now. */
  @Override
  public void close() throws IOException {
    boolean own = isInPlace();
    channel.close();
    if (own) {
      Files.deleteIfExists(path);
    }
  }
}
