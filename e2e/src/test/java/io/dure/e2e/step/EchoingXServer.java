package io.dure.e2e.step;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** Takes connections as an X server does, and answers each byte with its opposite. */
final class EchoingXServer implements AutoCloseable {
  private static final int X_PORT = 6000;

  private final ServerSocket socket;

  /** How many connections came. */
  final AtomicInteger connections = new AtomicInteger();

  /** How many of them have ended. */
  final AtomicInteger ended = new AtomicInteger();

  EchoingXServer() throws IOException {
    socket = new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    if (socket.getLocalPort() < X_PORT) {
      throw new IOException("no port that a display may have");
    }
    Thread.ofVirtual().name("x-server").start(this::accept);
  }

  /** How {@code DISPLAY} names it. */
  String display() {
    return "127.0.0.1:" + (socket.getLocalPort() - X_PORT) + ".0";
  }

  /** Makes an xauth in a folder that knows a cookie of any server, or none. */
  static Path xauth(Path folder, boolean knows) throws IOException {
    Files.createDirectories(folder);
    Path program = folder.resolve("xauth");
    String line = "echo \"any:0  MIT-MAGIC-COOKIE-1  00112233445566778899aabbccddeeff\"\n";
    Files.writeString(program, "#!/bin/sh\n" + (knows ? line : ""));
    if (!program.toFile().setExecutable(true, false)) {
      throw new IOException("no program can be made in " + folder);
    }
    return folder;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = socket.accept();
        connections.incrementAndGet();
        Thread.ofVirtual().name("x-client").start(() -> echo(client));
      }
    } catch (IOException _) {
      // The test is over.
    }
  }

  private void echo(Socket client) {
    byte[] bytes = new byte[1 << 16];
    try (client) {
      InputStream in = client.getInputStream();
      for (int got = in.read(bytes); got >= 0; got = in.read(bytes)) {
        for (int i = 0; i < got; i++) {
          bytes[i] = (byte) ~bytes[i];
        }
        client.getOutputStream().write(bytes, 0, got);
      }
    } catch (IOException _) {
      // The client is gone.
    } finally {
      ended.incrementAndGet();
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
