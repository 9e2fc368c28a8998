package io.dure.protocol.codec;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** How values of one type are written and read. Immutable once built; any thread. */
abstract class ValueCodec {
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final int NULL = 0;
  private static final int VALUE = 1;
  private static final int AS_BEFORE = 2;

  /** A small number of its own, by which readers and writers keep its latest value. */
  private final int number = COUNT.getAndIncrement();

  /** Writes a value that is not null. */
  abstract void writeValue(ByteWriter out, Object value);

  /** Reads a value that is not null. */
  abstract Object readValue(ByteReader in);

  /** What a reader takes for a component that the writer did not know. */
  @Nullable Object missing() {
    return null;
  }

  /** Whether two values are equal; what most often differs is looked at first. */
  boolean same(Object value, Object other) {
    return value.equals(other);
  }

  void write(ByteWriter out, @Nullable Object value) {
    Object latest = out.latest(number);
    if (value == null) {
      out.writeByte(NULL);
    } else if (latest != null && same(value, latest)) {
      out.writeByte(AS_BEFORE);
    } else {
      writeAnew(out, value);
    }
  }

  /** Writes a value that is known to differ from the one before it. */
  void writeAnew(ByteWriter out, Object value) {
    out.writeByte(VALUE);
    writeValue(out, value);
    out.setLatest(number, value);
  }

  @Nullable Object read(ByteReader in) {
    return read(in, in.readByte());
  }

  /** Reads the rest of what begins with such a byte. */
  @Nullable Object read(ByteReader in, int kind) {
    if (kind == NULL) {
      return null;
    }
    if (kind == AS_BEFORE) {
      Object latest = in.latest(number);
      if (latest == null) {
        throw new MalformedMessageException("a value like none before it");
      }
      return latest;
    }
    Object value = readValue(in);
    Object earlier = in.takeEarlier(number);
    if (earlier != null && earlier.equals(value)) {
      value = earlier;
    }
    in.setLatest(number, value);
    return value;
  }

  /** Reads one of many; no collection here holds null, unless its writer meant harm. */
  @Nullable Object readItem(ByteReader in) {
    Object value = read(in);
    if (value == null && in.isStrict()) {
      throw new MalformedMessageException("null in a collection");
    }
    return value;
  }
}
