package io.dure.node.step;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The node daemon's own connections to shepherds that run. Any thread. */
public final class StepControl {
  private static final String SOCKET = "control";
  private static final int HEAD = 5;

  private StepControl() {}

  /**
   * Tells a step's front ends that the step is being ended, and returns when the shepherd has told
   * them.
   *
   * @param line what they print, as of the step's own standard error
   * @throws IOException if the shepherd does not listen, which is no reason not to end the step
   */
  public static void announceEnd(Path directory, String line) throws IOException {
    byte[] words = line.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(4 + HEAD + words.length);
    // Root's number, without another connection: what follows is the daemon's own.
    bytes.putInt(0).put((byte) 'K').putInt(words.length).put(words).flip();
    try (SocketChannel shepherd =
        SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve(SOCKET)))) {
      while (bytes.hasRemaining()) {
        shepherd.write(bytes);
      }
      // Its answer, or its end.
      shepherd.read(ByteBuffer.allocate(1));
    }
  }
}
