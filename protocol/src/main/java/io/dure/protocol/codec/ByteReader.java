package io.dure.protocol.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link ByteWriter} wrote. Every length is checked against the bytes that are left
 * before anything is allocated, so that no input can make it take more than a small multiple of its
 * own size. One thread at a time.
 */
final class ByteReader {
  private static final int MAX_DEPTH = 64;

  private final byte[] bytes;
  private final CodecOptions options;
  private final boolean exact;
  private final @Nullable PreviousValues latest;
  private int position;
  private int end;
  private int depth;

  ByteReader(byte[] bytes, CodecOptions options, @Nullable PreviousValues latest) {
    this.bytes = bytes;
    this.options = options;
    // What is skipped may be what a later value is said to equal.
    this.exact = options.exact() || latest != null;
    this.latest = latest;
    this.end = bytes.length;
  }

  /** Whether null is refused where a type does not allow it. */
  boolean isStrict() {
    return options.strict();
  }

  /** Whether shares of nodes stay in groups. */
  boolean keepsGroups() {
    return options.grouped();
  }

  /** The latest value of a shape, null if there is none or sharing is not wanted. */
  @Nullable Object latest(int shape) {
    return latest == null ? null : latest.get(shape);
  }

  /** The value that an encoding before had last of a shape, once; null if there is none. */
  @Nullable Object takeEarlier(int shape) {
    return latest == null ? null : latest.takeEarlier(shape);
  }

  void setLatest(int shape, Object value) {
    if (latest != null) {
      latest.set(shape, value);
    }
  }

  int readByte() {
    if (position >= end) {
      throw new MalformedMessageException("unexpected end of data");
    }
    return bytes[position++] & 0xFF;
  }

  long readLong() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int next = readByte();
      value |= (long) (next & 0x7F) << shift;
      if (next < 0x80) {
        return (value >>> 1) ^ -(value & 1);
      }
    }
    throw new MalformedMessageException("number too long");
  }

  int readInt() {
    long value = readLong();
    if (value != (int) value) {
      throw new MalformedMessageException("number out of range: " + value);
    }
    return (int) value;
  }

  /** A count of things that take at least one byte each. */
  int readCount() {
    int count = readInt();
    if (count < 0 || count > end - position) {
      throw new MalformedMessageException("count beyond the end of data: " + count);
    }
    return count;
  }

  String readString() {
    int length = readCount();
    String value = new String(bytes, position, length, StandardCharsets.UTF_8);
    position += length;
    return value;
  }

  byte[] readBytes() {
    int length = readCount();
    byte[] value = Arrays.copyOfRange(bytes, position, position + length);
    position += length;
    return value;
  }

  /** Enters a block: reads do not go beyond it. Gives the outer end for {@link #closeBlock}. */
  int openBlock() {
    if (++depth > MAX_DEPTH) {
      throw new MalformedMessageException("nested too deeply");
    }
    int length = (readByte() << 24) | (readByte() << 16) | (readByte() << 8) | readByte();
    if (length < 0 || length > end - position) {
      throw new MalformedMessageException("block beyond the end of data: " + length);
    }
    int outer = end;
    end = position + length;
    return outer;
  }

  /** Leaves a block, over whatever a newer writer put at its end. */
  void closeBlock(int outer) {
    if (exact && position != end) {
      throw new MalformedMessageException("written by a newer version");
    }
    position = end;
    end = outer;
    depth--;
  }

  boolean atEnd() {
    return position == end;
  }
}
