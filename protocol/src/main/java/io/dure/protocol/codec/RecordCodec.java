package io.dure.protocol.codec;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a value of one type, and back. Types are records, sealed interfaces of records, enums,
 * {@code int, long, boolean} and their boxes, {@code String, Instant, Duration, byte[], List},
 * {@code Map} with string keys, {@code IntMap} and {@link io.dure.model.jobtext.TextValue}; any
 * reference may be null.
 *
 * <p>A record is its number of components, its length and its components in order, so types grow at
 * their end: a reader with more components than the writer takes null, 0, false or an empty
 * collection for those it misses, one with fewer skips the rest. A writer leaves out what a reader
 * would take so at the end, so that a reader that skips nothing ({@link #exact}) refuses a newer
 * writer's value only where it says what the reader cannot know. Components are never removed,
 * reordered or given another type; enum constants go by name. A record of a sealed interface goes
 * by its tag, a constant {@code static final String TAG} in it, which outlives any name of the
 * class. No other name of a class or component is written.
 *
 * <p>Any thread may use a codec.
 *
 * @param <T> the type
 */
public final class RecordCodec<T> {
  private final Class<T> type;
  private final ValueCodec shape;
  private final CodecOptions options;

  private RecordCodec(Class<T> type, ValueCodec shape, CodecOptions options) {
    this.type = type;
    this.shape = shape;
    this.options = options;
  }

  /**
   * The codec of a record or sealed interface.
   *
   * @throws IllegalArgumentException naming the component whose type cannot be written
   */
  public static <T> RecordCodec<T> of(Class<T> type) {
    return new RecordCodec<>(type, ValueCodecs.of(type), CodecOptions.NONE);
  }

  /**
   * The same codec, which refuses to read null where the type is not marked {@code @Nullable}: for
   * bytes of senders that are not trusted. Finding the marks takes tens of milliseconds once.
   */
  public RecordCodec<T> strict() {
    return new RecordCodec<>(type, shape, options.strictly());
  }

  /**
   * The same codec, which refuses to read what a newer version wrote where it would have to skip a
   * part: for what is kept, where a part that is skipped is a part that is lost.
   */
  public RecordCodec<T> exact() {
    return new RecordCodec<>(type, shape, options.exactly());
  }

  /**
   * The same codec, which writes a value that equals the one of its type before it in one byte, and
   * reads it as the very same object: for long lists whose elements say much alike. It reads what
   * was written without, not the other way round.
   */
  public RecordCodec<T> sharing() {
    return new RecordCodec<>(type, shape, options.withSharing());
  }

  /**
   * The same codec, which reads shares of nodes as the groups in which they were written: for a
   * reader that asks for few of them, since each is made whenever it is asked for.
   */
  public RecordCodec<T> grouped() {
    return new RecordCodec<>(type, shape, options.withGroups());
  }

  /** The bytes of a value. */
  public byte[] encode(T value) {
    ByteWriter writer = new ByteWriter(options.sharing());
    shape.write(writer, value);
    return writer.toByteArray();
  }

  /**
   * The value of the bytes.
   *
   * @throws MalformedMessageException if they are no encoding of this type
   */
  public T decode(byte[] bytes) {
    ByteReader reader = new ByteReader(bytes, options, previous());
    Object value = shape.read(reader);
    if (value == null || !reader.atEnd()) {
      throw new MalformedMessageException("not a " + type.getSimpleName());
    }
    return type.cast(value);
  }

  /** Values written one behind the other, for {@link #decodeAll}. One thread. */
  public final class Row {
    private ByteWriter writer = new ByteWriter(options.sharing());

    private Row() {}

    /** Adds a value behind the others. */
    public void add(T value) {
      shape.writeAnew(writer, value); // two of a row are never alike
    }

    /** Bytes of what was added. */
    public int size() {
      return writer.size();
    }

    /** Takes back what was added when there were more than so many bytes. */
    public void cut(int size) {
      writer = writer.cut(size);
    }

    /** The bytes of all of them. */
    public byte[] toByteArray() {
      return writer.toByteArray();
    }
  }

  /** An empty row. */
  public Row row() {
    return new Row();
  }

  /**
   * The values of a {@link Row}, in order.
   *
   * @throws MalformedMessageException if the bytes are no row of this type
   */
  public List<T> decodeAll(byte[] bytes) {
    return decodeAll(bytes, previous());
  }

  private List<T> decodeAll(byte[] bytes, @Nullable PreviousValues previous) {
    ByteReader reader = new ByteReader(bytes, options, previous);
    List<T> values = new ArrayList<>();
    while (!reader.atEnd()) {
      Object value = shape.read(reader);
      if (value == null) {
        throw new MalformedMessageException("not a " + type.getSimpleName());
      }
      values.add(type.cast(value));
    }
    return values;
  }

  private @Nullable PreviousValues previous() {
    return options.sharing() ? new PreviousValues() : null;
  }

  /** Reads several rows; a value that ended one and begins the next is one object. One thread. */
  public final class Rows {
    private final @Nullable PreviousValues previous = previous();

    private Rows() {}

    /**
     * The values of the next {@link Row}, in order.
     *
     * @throws MalformedMessageException if the bytes are no row of this type
     */
    public List<T> decodeAll(byte[] bytes) {
      if (previous != null) {
        previous.next();
      }
      return RecordCodec.this.decodeAll(bytes, previous);
    }
  }

  /** For several rows. */
  public Rows rows() {
    return new Rows();
  }
}
