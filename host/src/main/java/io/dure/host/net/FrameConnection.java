package io.dure.host.net;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Frames on a pair of streams; what is closed at the end, and what when time is over, is given. */
final class FrameConnection implements Connection {
  private final InputStream in;
  private final OutputStream out;
  private final Closeable orderly;
  private final Watchdog sending;
  private final Watchdog receiving;
  private volatile long limitNanos;

  /**
   * Takes the streams over.
   *
   * @param orderly ends the connection as its protocol wants it
   * @param abrupt ends the connection at once, whatever other threads do with it
   */
  FrameConnection(InputStream in, OutputStream out, Closeable orderly, Closeable abrupt) {
    this.in = in;
    this.out = out;
    this.orderly = orderly;
    this.sending = new Watchdog(abrupt);
    this.receiving = new Watchdog(abrupt);
  }

  @Override
  public void send(byte[] payload) throws IOException {
    sending.start(limitNanos);
    try {
      Frames.write(out, payload, Frames.MAX_PAYLOAD);
    } catch (IOException e) {
      throw sending.stop() ? timedOut(e) : e;
    } finally {
      sending.stop();
    }
  }

  @Override
  public byte @Nullable [] receive() throws IOException {
    receiving.start(limitNanos);
    try {
      byte[] payload = Frames.read(in, Frames.MAX_PAYLOAD);
      // To a reader whose connection is closed under him the end may look like the peer's.
      if (payload == null && receiving.stop()) {
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
