package io.dure.testkit.step;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One side of a connection that carries frames. For one thread that reads and one that writes. */
public final class StepConnection implements AutoCloseable {
  private final SocketChannel channel;
  private final DataInputStream input;

  /** Takes over a connected channel. */
  public StepConnection(SocketChannel channel) {
    this.channel = channel;
    this.input =
        new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), 1 << 18));
  }

  /** Connects to a unix socket. */
  public static StepConnection to(Path socket) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(socket));
    return new StepConnection(channel);
  }

  /** Sends a frame. */
  public void send(StepFrame frame) throws IOException {
    sendBytes(frame.encoded());
  }

  /** Sends bytes that may be anything. */
  public void sendBytes(byte... bytes) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    while (rest.hasRemaining()) {
      channel.write(rest);
    }
  }

  /** The next frame; null when the other side has closed. */
  public @Nullable StepFrame next() throws IOException {
    try {
      int type = input.read();
      if (type < 0) {
        return null;
      }
      byte[] payload = new byte[input.readInt()];
      input.readFully(payload);
      return new StepFrame((char) type, payload);
    } catch (EOFException | SocketException _) {
      return null; // closed, perhaps with bytes that it had not read
    }
  }

  /** All frames up to the first of that type, with it, or to the end of the connection. */
  public List<StepFrame> until(char type) throws IOException {
    List<StepFrame> frames = new ArrayList<>();
    for (StepFrame frame = next(); frame != null; frame = next()) {
      frames.add(frame);
      if (frame.type() == type) {
        break;
      }
    }
    return frames;
  }

  /** The first frame of that type; the ones before it are dropped. */
  public StepFrame await(char type) throws IOException {
    List<StepFrame> frames = until(type);
    if (frames.isEmpty() || frames.getLast().type() != type) {
      throw new EOFException("no frame " + type + " but " + frames);
    }
    return frames.getLast();
  }

  /** What these frames say that a task wrote: 'O' output, 'E' error. */
  public static String written(List<StepFrame> frames, char type, int rank) {
    StringBuilder text = new StringBuilder();
    for (StepFrame frame : frames) {
      if (frame.type() == type && frame.number(0) == rank) {
        text.append(frame.text(1));
      }
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
