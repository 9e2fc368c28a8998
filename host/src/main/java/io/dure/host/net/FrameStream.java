package io.dure.host.net;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Frames on a stream: a length of 4 bytes, big-endian, then so many bytes of payload.
 *
 * <p>Blocking; one thread at a time reads a stream and one writes it. Timeouts are those of the
 * stream. A length is checked before anything is allocated, and a long payload takes memory only as
 * its bytes arrive, so that no peer can make a program reserve what is never sent.
 */
public final class FrameStream {
  /** Largest payload that the programs of a cluster send each other, in bytes. */
  public static final int MAX_PAYLOAD = 1 << 30;

  private static final int HEADER = 4;
  private static final int TRUSTED_LENGTH = 64 * 1024;

  private FrameStream() {}

  /**
   * Reads one payload.
   *
   * @param maxPayload largest length to accept, in bytes
   * @return the payload, possibly empty; null if the stream ended before a frame began
   * @throws FrameException if the length is negative or above the maximum, or the stream ends in
   *     the middle of a frame; the stream cannot be used any more
   */
  public static byte @Nullable [] read(InputStream in, int maxPayload) throws IOException {
    return read(in, maxPayload, _ -> {});
  }

  /** Hears of a frame's length before its payload is read. */
  interface LengthSeen {
    void accept(int length) throws IOException;
  }

  static byte @Nullable [] read(InputStream in, int maxPayload, LengthSeen seen)
      throws IOException {
    byte[] header = new byte[HEADER];
    int got = in.readNBytes(header, 0, HEADER);
    if (got == 0) {
      return null;
    }
    if (got < HEADER) {
      throw new FrameException("connection closed within the length of a frame");
    }
    int length = ByteBuffer.wrap(header).getInt();
    if (length < 0 || length > maxPayload) {
      throw new FrameException(
          "frame of "
              + Integer.toUnsignedString(length)
              + " bytes exceeds the limit of "
              + maxPayload);
    }
    seen.accept(length);
    byte[] payload = payload(in, length);
    if (payload.length < length) {
      throw new FrameException(
          "connection closed after " + payload.length + " of " + length + " bytes of a frame");
    }
    return payload;
  }

  private static byte[] payload(InputStream in, int length) throws IOException {
    if (length > TRUSTED_LENGTH) {
      return in.readNBytes(length);
    }
    byte[] payload = new byte[length];
    int got = in.readNBytes(payload, 0, length);
    return got == length ? payload : Arrays.copyOf(payload, got);
  }

  /**
   * Writes one frame in a single write, and flushes.
   *
   * @throws FrameException if the payload is longer than {@code maxPayload}; nothing is sent then
   */
  public static void write(OutputStream out, byte[] payload, int maxPayload) throws IOException {
    if (payload.length > maxPayload) {
      throw new FrameException(
          "frame of " + payload.length + " bytes exceeds the limit of " + maxPayload);
    }
    byte[] frame = new byte[HEADER + payload.length];
    frame[0] = (byte) (payload.length >>> 24);
    frame[1] = (byte) (payload.length >>> 16);
    frame[2] = (byte) (payload.length >>> 8);
    frame[3] = (byte) payload.length;
    System.arraycopy(payload, 0, frame, HEADER, payload.length);
    out.write(frame);
    out.flush();
  }
}
