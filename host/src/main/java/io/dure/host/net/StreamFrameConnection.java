package io.dure.host.net;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Frames on a pair of streams; what is closed at the end, and what when time is over, is given. */
final class StreamFrameConnection implements Connection {
  private final InputStream in;
  private final OutputStream out;
  private final Closeable orderly;
  private final ConnectionWatchdog sending;
  private final ConnectionWatchdog receiving;
  private volatile long limitNanos;

  /**
   * Takes the streams over.
   *
   * @param orderly ends the connection as its protocol wants it
   * @param abrupt ends the connection at once, whatever other threads do with it
   */
  StreamFrameConnection(InputStream in, OutputStream out, Closeable orderly, Closeable abrupt) {
    this.in = in;
    this.out = out;
    this.orderly = orderly;
    this.sending = new ConnectionWatchdog(abrupt);
    this.receiving = new ConnectionWatchdog(abrupt);
  }

  @Override
  public void sendMagic(int magic) throws IOException {
    send(() -> {
      out.write(ByteBuffer.allocate(Integer.BYTES).putInt(magic).array());
      out.flush();
    });
  }

  @Override
  public void send(byte[] payload) throws IOException {
    send(() -> FrameStream.write(out, payload, FrameStream.MAX_PAYLOAD));
  }

  @Override
  public int receiveMagic() throws IOException {
    byte[] magic = receive(() -> in.readNBytes(Integer.BYTES));
    if (magic == null || magic.length < Integer.BYTES) {
      throw new FrameException("connection closed before its protocol was identified");
    }
    return ByteBuffer.wrap(magic).getInt();
  }

  @Override
  public byte @Nullable [] receive() throws IOException {
    return receive(FrameStream.MAX_PAYLOAD);
  }

  @Override
  public byte @Nullable [] receive(int maxPayload) throws IOException {
    return receive(() -> FrameStream.read(in, maxPayload));
  }

  @Override
  public byte @Nullable [] receive(int maxPayload, PayloadQuota admission) throws IOException {
    return receive(() ->
        FrameStream.read(
            in, maxPayload, length -> receiving.start(admission.admit(length).toNanos())));
  }

  private interface Sending {
    void run() throws IOException;
  }

  private interface Receiving {
    byte @Nullable [] run() throws IOException;
  }

  private void send(Sending action) throws IOException {
    sending.start(limitNanos);
    try {
      action.run();
    } catch (IOException e) {
      throw sending.stop() ? timedOut(e) : e;
    } finally {
      sending.stop();
    }
  }

  private byte @Nullable [] receive(Receiving action) throws IOException {
    receiving.start(limitNanos);
    try {
      byte[] payload = action.run();
      // To a reader whose connection is closed meanwhile the end may look like the peer's.
      if ((payload == null || payload.length == 0) && receiving.stop()) {
        throw timedOut(null);
      }
      return payload;
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      throw receiving.stop() ? timedOut(e) : e;
    } finally {
      receiving.stop();
    }
  }

  @Override
  public void timeLimit(Duration limit) {
    limitNanos = limit.toNanos();
  }

  @Override
  public void close() throws IOException {
    sending.end();
    receiving.end();
    orderly.close();
  }

  /** Slurm's words for it. */
  private static SocketTimeoutException timedOut(@Nullable IOException cause) {
    SocketTimeoutException e =
        new SocketTimeoutException("Socket timed out on send/recv operation");
    if (cause != null) {
      e.initCause(cause);
    }
    return e;
  }
}
