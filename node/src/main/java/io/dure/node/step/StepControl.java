package io.dure.node.step;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** The node daemon's own connections to shepherds that run. Any thread. */
public final class StepControl implements AutoCloseable {
  private static final String SOCKET = "control";
  private static final int HEAD = 5;

  private static final int LARGEST = 1 << 20;

  /** A shepherd answers at once; what stands still must not hold up looks at all others. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final long until = System.nanoTime() + PATIENCE.toNanos();
  private final SocketChannel shepherd;
  private final Selector readiness;

  private StepControl(Path directory) throws IOException {
    // Where too many wait to be let in, this fails instead of waiting with them.
    shepherd = SocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      shepherd.configureBlocking(false);
      shepherd.connect(UnixDomainSocketAddress.of(socket(directory)));
      readiness = shepherd.provider().openSelector();
    } catch (IOException | RuntimeException e) {
      shepherd.close();
      throw e;
    }
  }

  /** The socket of the shepherd whose step has that directory. */
  public static Path socket(Path directory) {
    return directory.resolve(SOCKET);
  }

  /**
   * The processes of a step's tasks, by their ranks and in the order of their local numbers.
   *
   * @throws IOException if the shepherd does not listen, or does not answer within seconds
   */
  public static SequencedMap<Integer, Integer> tasks(Path directory) throws IOException {
    try (StepControl control = new StepControl(directory)) {
      control.send(ByteBuffer.allocate(4 + HEAD).putInt(0).put((byte) 'Q').putInt(0).flip());
      ByteBuffer head = control.read(HEAD);
      byte type = head.get();
      int length = head.getInt();
      if (type != 'B' || length < 2 * Integer.BYTES || length > LARGEST) {
        throw new IOException("the shepherd answered with " + (char) type);
      }
      ByteBuffer begun = control.read(length);
      begun.getInt();
      SequencedMap<Integer, Integer> tasks = new LinkedHashMap<>();
      for (int left = begun.getInt(); left > 0 && begun.remaining() >= 2 * Integer.BYTES; left--) {
        tasks.put(begun.getInt(), begun.getInt());
      }
      return tasks;
    }
  }

  /**
   * Tells a step's front ends that the step is being ended, and returns when the shepherd has told
   * them.
   *
   * @param line what they print, as of the step's own standard error
   * @throws IOException if the shepherd does not listen, or does not answer within seconds, which
   *     is no reason not to end the step
   */
  public static void announceEnd(Path directory, String line) throws IOException {
    byte[] words = line.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes = ByteBuffer.allocate(4 + HEAD + words.length);
    // Root's number, without another connection: what follows is the daemon's own.
    bytes.putInt(0).put((byte) 'K').putInt(words.length).put(words).flip();
    try (StepControl control = new StepControl(directory)) {
      control.send(bytes);
      control.read(1);
    }
  }

  private void send(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (shepherd.write(bytes) == 0) {
        await(SelectionKey.OP_WRITE);
      }
    }
  }

  private ByteBuffer read(int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      int got = shepherd.read(bytes);
      if (got < 0) {
        throw new EOFException("the shepherd has closed the connection");
      }
      if (got == 0) {
        await(SelectionKey.OP_READ);
      }
    }
    return bytes.flip();
  }

  private void await(int operation) throws IOException {
    long left = Math.ceilDiv(until - System.nanoTime(), 1_000_000L);
    shepherd.register(readiness, operation);
    if (left <= 0 || readiness.select(left) == 0) {
      throw new IOException("the shepherd does not answer");
    }
    readiness.selectedKeys().clear();
  }

  @Override
  public void close() throws IOException {
    try (shepherd) {
      readiness.close();
    }
  }
}
