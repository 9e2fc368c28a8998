package io.dure.node.step;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** The node daemon's own connections to shepherds that run. Any thread. */
public final class StepControl {
  private static final String SOCKET = "control";
  private static final int HEAD = 5;

  private static final int LARGEST = 1 << 20;

  private StepControl() {}

  /** The socket of the shepherd whose step has that directory. */
  public static Path socket(Path directory) {
    return directory.resolve(SOCKET);
  }

  /**
   * The processes of a step's tasks, by their ranks and in the order of their local numbers.
   *
   * @throws IOException if the shepherd does not listen or answer
   */
  public static SequencedMap<Integer, Integer> tasks(Path directory) throws IOException {
    try (SocketChannel shepherd =
            SocketChannel.open(UnixDomainSocketAddress.of(socket(directory)));
        DataInputStream in = new DataInputStream(Channels.newInputStream(shepherd))) {
      shepherd.write(ByteBuffer.allocate(4 + HEAD).putInt(0).put((byte) 'Q').putInt(0).flip());
      byte type = in.readByte();
      int length = in.readInt();
      if (type != 'B' || length < 0 || length > LARGEST) {
        throw new IOException("the shepherd answered with " + (char) type);
      }
      in.readInt();
      SequencedMap<Integer, Integer> tasks = new LinkedHashMap<>();
      for (int left = in.readInt(); left > 0; left--) {
        tasks.put(in.readInt(), in.readInt());
      }
      return tasks;
    }
  }

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
        SocketChannel.open(UnixDomainSocketAddress.of(socket(directory)))) {
      while (bytes.hasRemaining()) {
        shepherd.write(bytes);
      }
      // Its answer, or its end.
      shepherd.read(ByteBuffer.allocate(1));
    }
  }
}
