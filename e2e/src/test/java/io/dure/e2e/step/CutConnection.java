package io.dure.e2e.step;

import io.dure.testkit.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Stands in the place of a unix socket and passes everything on, until it cuts what goes through
 * it: both ends live on, and neither is told by the other.
 */
final class CutConnection implements AutoCloseable {
  private final Path socket;
  private final Path behind;
  private final ServerSocketChannel listener;
  private final Queue<SocketChannel> open = new ConcurrentLinkedQueue<>();
  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();

  /** Between that socket, which gets another name, and who connects to it from now on. */
  CutConnection(Path socket, Path behind) {
    this.socket = socket;
    this.behind = behind;
    // A node may be up a moment before the program that takes its steps is.
    Await.seconds(60).until("there is " + socket, () -> Files.exists(socket));
    try {
      Files.move(socket, behind);
      listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      listener.bind(UnixDomainSocketAddress.of(socket));
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw-rw-"));
    } catch (IOException e) {
      throw new AssertionError("cannot stand before " + socket, e);
    }
    Thread.ofVirtual().name("before " + socket).start(this::accept);
  }

  private void accept() {
    while (listener.isOpen()) {
      try {
        SocketChannel from = listener.accept();
        open.add(from);
        SocketChannel to = SocketChannel.open(UnixDomainSocketAddress.of(behind));
        open.add(to);
        Thread.ofVirtual().start(() -> pass(from, to, heard));
        Thread.ofVirtual().start(() -> pass(to, from, OutputStream.nullOutputStream()));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private static void pass(SocketChannel from, SocketChannel to, OutputStream heard) {
    ByteBuffer bytes = ByteBuffer.allocate(65_536);
    try {
      while (from.read(bytes.clear()) >= 0) {
        heard.write(bytes.array(), 0, bytes.flip().limit());
        while (bytes.hasRemaining()) {
          to.write(bytes);
        }
      }
      to.shutdownOutput();
    } catch (IOException e) {
      // Cut, or closed by one of the two.
    }
  }

  /** What those who connected have sent. */
  byte[] heard() {
    return heard.toByteArray();
  }

  /** Ends all that goes through it. */
  void cut() {
    open.forEach(CutConnection::end);
  }

  private static void end(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gives the socket its name back; what goes through it goes on. */
  void stepAside() {
    if (!Files.exists(behind)) {
      return;
    }
    try {
      listener.close();
      Files.deleteIfExists(socket);
      Files.move(behind, socket);
    } catch (IOException e) {
      throw new AssertionError("cannot step aside from " + socket, e);
    }
  }

  @Override
  public void close() {
    stepAside();
    cut();
  }
}
