package io.dure.host.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class FramesTest {
  @Test
  void framesOfAllSizesComeBack() throws IOException {
    Random random = new Random(7);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int[] sizes = {0, 1, 3, 4, 255, 256, 65_535, 65_536, 65_537, 1_000_000};
    byte[][] payloads = new byte[sizes.length][];
    for (int i = 0; i < sizes.length; i++) {
      payloads[i] = new byte[sizes[i]];
      random.nextBytes(payloads[i]);
      FrameStream.write(out, payloads[i], FrameStream.MAX_PAYLOAD);
    }
    InputStream in = new Trickle(out.toByteArray());
    for (byte[] payload : payloads) {
      assertArrayEquals(payload, FrameStream.read(in, FrameStream.MAX_PAYLOAD));
    }
    assertNull(FrameStream.read(in, FrameStream.MAX_PAYLOAD));
  }

  @Test
  void lengthIsBigEndian() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FrameStream.write(out, new byte[0x0102], FrameStream.MAX_PAYLOAD);
    byte[] frame = out.toByteArray();
    assertArrayEquals(new byte[] {0, 0, 1, 2}, java.util.Arrays.copyOf(frame, 4));
  }

  @Test
  void endInsideAFrameIsAnError() {
    assertThrows(FrameException.class, () -> read(0, 0));
    assertThrows(FrameException.class, () -> read(0, 0, 0, 3, 'a', 'b'));
    assertThrows(FrameException.class, () -> read(0, 1, 0, 0, 'a', 'b'));
  }

  @Test
  void tooLongIsRefusedBeforeAnythingIsAllocated() {
    FrameException tooLong = assertThrows(FrameException.class, () -> read(0x7f, 0xff, 0xff, 0xff));
    assertEquals("frame of 2147483647 bytes exceeds the limit of 1073741824", tooLong.getMessage());
    FrameException negative =
        assertThrows(FrameException.class, () -> read(0xff, 0xff, 0xff, 0xff));
    assertEquals(
        "frame of 4294967295 bytes exceeds the limit of 1073741824", negative.getMessage());
    // The first bytes of an HTTP request and of a TLS greeting.
    assertThrows(FrameException.class, () -> read('G', 'E', 'T', ' '));
    assertThrows(FrameException.class, () -> read(0x16, 0x03, 0x01, 0x02));
  }

  @Test
  void tooLongIsNotSent() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertThrows(FrameException.class, () -> FrameStream.write(out, new byte[11], 10));
    assertEquals(0, out.size());
  }

  private static byte[] read(int... bytes) throws IOException {
    byte[] stream = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      stream[i] = (byte) bytes[i];
    }
    return FrameStream.read(new ByteArrayInputStream(stream), FrameStream.MAX_PAYLOAD);
  }

  /** Gives a few bytes at a time, as a network does. */
  private static final class Trickle extends InputStream {
    private final byte[] bytes;
    private int at;

    Trickle(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return at < bytes.length ? bytes[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      if (at == bytes.length) {
        return -1;
      }
      int count = Math.min(Math.min(length, 1 + at % 1000), bytes.length - at);
      System.arraycopy(bytes, at, target, offset, count);
      at += count;
      return count;
    }
  }
}
