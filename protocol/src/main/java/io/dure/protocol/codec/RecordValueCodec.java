package io.dure.protocol.codec;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A record: the number of its components up to the last that is not what a reader takes for a
 * missing one, their length in bytes, these components in order.
 */
final class RecordValueCodec extends ValueCodec {
  private final Class<?> type;
  private final Function<Type, ValueCodec> codecs;
  private final ComponentAccessor[] accessors;
  private final Constructor<?> constructor;
  private final boolean[] primitive;
  private volatile ValueCodec @Nullable [] components;
  private volatile boolean @Nullable [] mayBeNull;

  RecordValueCodec(Class<?> type, Function<Type, ValueCodec> codecs) {
    this.type = type;
    this.codecs = codecs;
    RecordComponent[] parts = type.getRecordComponents();
    accessors = new ComponentAccessor[parts.length];
    primitive = new boolean[parts.length];
    Class<?>[] types = new Class<?>[parts.length];
    for (int i = 0; i < parts.length; i++) {
      accessors[i] = new ComponentAccessor(parts[i]);
      types[i] = parts[i].getType();
      primitive[i] = types[i].isPrimitive();
    }
    try {
      constructor = type.getDeclaredConstructor(types);
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException("no canonical constructor: " + type, e);
    }
    constructor.setAccessible(true);
  }

  /**
   * Finds the components' shapes; apart from the constructor because records may nest themselves.
   */
  void build() {
    RecordComponent[] parts = type.getRecordComponents();
    ValueCodec[] shapes = new ValueCodec[parts.length];
    for (int i = 0; i < parts.length; i++) {
      try {
        shapes[i] = codecs.apply(parts[i].getGenericType());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            type.getSimpleName() + "." + parts[i].getName() + ": " + e.getMessage(), e);
      }
    }
    components = shapes;
  }

  /** The shapes; another thread may have found this record while it was being built. */
  private ValueCodec[] components() {
    ValueCodec[] shapes = components;
    if (shapes == null) {
      build();
      shapes = components;
    }
    if (shapes == null) {
      throw new IllegalStateException("unreachable: " + type);
    }
    return shapes;
  }

  /**
   * A record's own equals looks at its last component first; of most records of a row the first one
   * differs, such as a job's id, and the last ones are long and alike.
   */
  @Override
  @SuppressWarnings("ReferenceEquality") // most values that are equal are one object
  boolean same(Object value, Object other) {
    if (value == other) {
      return true;
    }
    if (accessors.length > 1) {
      Object first = accessors[0].of(value);
      Object otherFirst = accessors[0].of(other);
      boolean same =
          first == null || otherFirst == null
              ? first == null && otherFirst == null
              : components()[0].same(first, otherFirst);
      if (!same) {
        return false;
      }
    }
    return value.equals(other);
  }

  @Override
  void writeValue(ByteWriter out, Object value) {
    ValueCodec[] shapes = components();
    int count = shapes.length;
    Object last = null;
    // A reader that never heard of a component loses nothing by one that says nothing.
    while (count > 0) {
      last = accessors[count - 1].of(value);
      Object missing = shapes[count - 1].missing();
      if (missing == null ? last != null : !missing.equals(last)) {
        break;
      }
      count--;
    }
    out.writeLong(count);
    int block = out.openBlock();
    for (int i = 0; i < count; i++) {
      shapes[i].write(out, i == count - 1 ? last : accessors[i].of(value));
    }
    out.closeBlock(block);
  }

  @Override
  Object readValue(ByteReader in) {
    ValueCodec[] shapes = components();
    int count = in.readInt();
    int outer = in.openBlock();
    @Nullable Object[] values = new @Nullable Object[shapes.length];
    for (int i = 0; i < shapes.length; i++) {
      values[i] = i < count ? shapes[i].read(in) : shapes[i].missing();
      if (values[i] != null) {
        continue;
      }
      if (primitive[i]) {
        values[i] = shapes[i].missing();
      } else if (in.isStrict() && !mayBeNull()[i]) {
        throw new MalformedMessageException(
            type.getSimpleName() + "." + accessors[i].name() + " is missing");
      }
    }
    in.closeBlock(outer);
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new MalformedMessageException(
          "not a valid " + type.getSimpleName() + ": " + e.getCause());
    } catch (InstantiationException | IllegalAccessException e) {
      throw new IllegalStateException("cannot make " + type, e);
    }
  }

  /** Which components are marked as such; only asked for where senders are not trusted. */
  private boolean[] mayBeNull() {
    boolean[] marks = mayBeNull;
    if (marks == null) {
      RecordComponent[] parts = type.getRecordComponents();
      marks = new boolean[parts.length];
      for (int i = 0; i < parts.length; i++) {
        marks[i] = parts[i].getAnnotatedType().isAnnotationPresent(Nullable.class);
      }
      mayBeNull = marks;
    }
    return marks;
  }
}
