package io.dure.protocol.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A growing byte array with the primitive forms of the codec. One thread at a time. */
final class ByteWriter {
  /** The most that an array can hold on every machine. */
  private static final int MOST = Integer.MAX_VALUE - 8;

  private final @Nullable PreviousValues latest;
  private byte[] bytes = new byte[512];
  private int size;

  ByteWriter(boolean sharing) {
    latest = sharing ? new PreviousValues() : null;
  }

  /** The latest value of a shape, null if there is none or sharing is not wanted. */
  @Nullable Object latest(int shape) {
    return latest == null ? null : latest.get(shape);
  }

  void setLatest(int shape, Object value) {
    if (latest != null) {
      latest.set(shape, value);
    }
  }

  void writeByte(int value) {
    ensure(1);
    bytes[size++] = (byte) value;
  }

  /** A signed number in 1 to 10 bytes, small ones short. */
  void writeLong(long value) {
    ensure(10);
    long rest = (value << 1) ^ (value >> 63);
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) ((rest & 0x7F) | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  void writeString(String value) {
    writeBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  void writeBytes(byte[] value) {
    writeLong(value.length);
    ensure(value.length);
    System.arraycopy(value, 0, bytes, size, value.length);
    size += value.length;
  }

  /** Leaves room for a length that {@link #closeBlock} fills in. */
  int openBlock() {
    ensure(4);
    size += 4;
    return size;
  }

  void closeBlock(int start) {
    int length = size - start;
    bytes[start - 4] = (byte) (length >>> 24);
    bytes[start - 3] = (byte) (length >>> 16);
    bytes[start - 2] = (byte) (length >>> 8);
    bytes[start - 1] = (byte) length;
  }

  int size() {
    return size;
  }

  /** A writer of the first so many bytes; nothing counts as written before what it writes next. */
  ByteWriter cut(int length) {
    ByteWriter shorter = new ByteWriter(latest != null);
    shorter.bytes = bytes;
    shorter.size = length;
    return shorter;
  }

  byte[] toByteArray() {
    return Arrays.copyOf(bytes, size);
  }

  private void ensure(int more) {
    if (more > bytes.length - size) {
      long needed = (long) size + more;
      if (needed > MOST) {
        throw new IllegalStateException("more than the " + MOST + " bytes that one array holds");
      }
      bytes = Arrays.copyOf(bytes, (int) Math.min(MOST, Math.max(2L * bytes.length, needed)));
    }
  }
}
