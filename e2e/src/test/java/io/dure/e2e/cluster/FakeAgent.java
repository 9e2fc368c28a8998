package io.dure.e2e.cluster;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Answers each call at a socket with the same frames, and hears nothing else. */
public final class FakeAgent implements AutoCloseable {
  private static final int CALL_HEADER = 9;

  private final Path socket;
  private final ServerSocketChannel listener;

  public FakeAgent(Path socket, byte[] frames) throws IOException {
    this.socket = socket;
    listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    listener.bind(UnixDomainSocketAddress.of(socket));
    Thread.ofVirtual().start(() -> serve(frames));
  }

  /** Frames one after the other. */
  public static byte[] frames(byte[]... each) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] frame : each) {
      all.writeBytes(frame);
    }
    return all.toByteArray();
  }

  public static byte[] frame(char type, byte... payload) {
    return ByteBuffer.allocate(5 + payload.length)
        .put((byte) type)
        .putInt(payload.length)
        .put(payload)
        .array();
  }

  /** The end with a code below 32,768. */
  public static byte[] exit(int code) {
    return frame('X', (byte) 0, (byte) 0, (byte) (code >> 8), (byte) code);
  }

  private void serve(byte[] frames) {
    while (listener.isOpen()) {
      try {
        SocketChannel caller = listener.accept();
        Thread.ofVirtual().start(() -> answer(caller, frames));
      } catch (IOException e) {
        // the test is over
      }
    }
  }

  private static void answer(SocketChannel caller, byte[] frames) {
    try (caller) {
      var in = Channels.newInputStream(caller);
      byte[] header = in.readNBytes(CALL_HEADER + 4);
      in.readNBytes(ByteBuffer.wrap(header).getInt(CALL_HEADER));
      caller.write(ByteBuffer.wrap(frames));
      in.readAllBytes();
    } catch (IOException e) {
      // the caller is gone
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      Files.deleteIfExists(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
