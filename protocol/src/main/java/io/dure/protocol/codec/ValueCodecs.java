package io.dure.protocol.codec;

import io.dure.model.collection.IntMap;
import io.dure.model.job.NodeShare;
import io.dure.model.job.NodeShareGroup;
import io.dure.model.jobtext.TextValue;
import io.dure.model.step.StepShare;
import io.dure.model.step.StepShareGroup;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The codec of each type, made when it is first asked for. Any thread. */
final class ValueCodecs {
  private static final Map<Type, ValueCodec> KNOWN = new ConcurrentHashMap<>();

  private ValueCodecs() {}

  static ValueCodec of(Type type) {
    ValueCodec known = KNOWN.get(type);
    if (known != null) {
      return known;
    }
    if (type instanceof Class<?> record && record.isRecord()) {
      RecordValueCodec shape = new RecordValueCodec(record, ValueCodecs::of);
      ValueCodec first = kept(type, shape); // before its components, which may contain it
      if (first == shape) {
        shape.build();
      }
      return first;
    }
    return kept(type, build(type));
  }

  /** The one codec of a type: which value came before is known by codec. */
  private static ValueCodec kept(Type type, ValueCodec shape) {
    ValueCodec other = KNOWN.putIfAbsent(type, shape);
    return other == null ? shape : other;
  }

  private static ValueCodec build(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      if (generic.getRawType() == List.class && arguments[0] == StepShare.class) {
        return new GroupedShape<>(of(StepShareGroup.class), StepShareGroup::of);
      }
      if (generic.getRawType() == List.class && arguments[0] == NodeShare.class) {
        return new GroupedShape<>(of(NodeShareGroup.class), NodeShareGroup::of);
      }
      if (generic.getRawType() == List.class) {
        return new ListShape(of(arguments[0]));
      }
      if (generic.getRawType() == Map.class && arguments[0] == String.class) {
        return new MapShape(of(arguments[1]));
      }
      if (generic.getRawType() == IntMap.class) {
        return new IntMapShape(of(arguments[0]));
      }
    }
    if (type instanceof Class<?> plain) {
      if (plain.isEnum()) {
        return new EnumShape(plain);
      }
      if (plain.isSealed() && plain.isInterface()) {
        return new UnionShape(plain, ValueCodecs::of);
      }
      if (TextValue.class.isAssignableFrom(plain)) {
        return new TextShape(plain.asSubclass(TextValue.class));
      }
      ValueCodec scalar = scalar(plain);
      if (scalar != null) {
        return scalar;
      }
    }
    throw new IllegalArgumentException("no encoding for " + type);
  }

  private static @Nullable ValueCodec scalar(Class<?> type) {
    if (type == int.class || type == Integer.class) {
      return new IntShape(type.isPrimitive());
    } else if (type == long.class || type == Long.class) {
      return new LongShape(type.isPrimitive());
    } else if (type == double.class || type == Double.class) {
      return new DoubleShape(type.isPrimitive());
    } else if (type == boolean.class || type == Boolean.class) {
      return new BooleanShape(type.isPrimitive());
    } else if (type == String.class) {
      return new StringShape();
    } else if (type == Instant.class) {
      return new InstantShape();
    } else if (type == Duration.class) {
      return new DurationShape();
    } else if (type == byte[].class) {
      return new BytesShape();
    }
    return null;
  }

  private static final class IntShape extends ValueCodec {
    private final boolean primitive;

    IntShape(boolean primitive) {
      this.primitive = primitive;
    }

    @Override
    void writeValue(ByteWriter out, Object value) {
      out.writeLong((Integer) value);
    }

    @Override
    Object readValue(ByteReader in) {
      return in.readInt();
    }

    @Override
    @Nullable Object missing() {
      return primitive ? 0 : null;
    }
  }

  private static final class LongShape extends ValueCodec {
    private final boolean primitive;

    LongShape(boolean primitive) {
      this.primitive = primitive;
    }

    @Override
    void writeValue(ByteWriter out, Object value) {
      out.writeLong((Long) value);
    }

    @Override
    Object readValue(ByteReader in) {
      return in.readLong();
    }

    @Override
    @Nullable Object missing() {
      return primitive ? 0L : null;
    }
  }

  private static final class DoubleShape extends ValueCodec {
    private final boolean primitive;

    DoubleShape(boolean primitive) {
      this.primitive = primitive;
    }

    @Override
    void writeValue(ByteWriter out, Object value) {
      out.writeLong(Double.doubleToLongBits((Double) value));
    }

    @Override
    Object readValue(ByteReader in) {
      return Double.longBitsToDouble(in.readLong());
    }

    @Override
    @Nullable Object missing() {
      return primitive ? 0.0 : null;
    }
  }

  private static final class BooleanShape extends ValueCodec {
    private final boolean primitive;

    BooleanShape(boolean primitive) {
      this.primitive = primitive;
    }

    @Override
    void writeValue(ByteWriter out, Object value) {
      out.writeByte((Boolean) value ? 1 : 0);
    }

    @Override
    Object readValue(ByteReader in) {
      return in.readByte() != 0;
    }

    @Override
    @Nullable Object missing() {
      return primitive ? false : null;
    }
  }

  private static final class StringShape extends ValueCodec {
    @Override
    void writeValue(ByteWriter out, Object value) {
      out.writeString((String) value);
    }

    @Override
    Object readValue(ByteReader in) {
      return in.readString();
    }
  }

  /**
   * A value that goes by its text: written as that string would be, so that a component may become
   * such a value although strings around it may be said to equal its text.
   */
  private static final class TextShape extends ValueCodec {
    private final ValueCodec strings = of(String.class);
    private final Constructor<? extends TextValue> constructor;

    TextShape(Class<? extends TextValue> type) {
      try {
        constructor = type.getDeclaredConstructor(String.class);
      } catch (NoSuchMethodException e) {
        throw new IllegalArgumentException("no constructor of a text: " + type, e);
      }
    }

    @Override
    void write(ByteWriter out, @Nullable Object value) {
      strings.write(out, TextValue.textOf((TextValue) value));
    }

    @Override
    void writeValue(ByteWriter out, Object value) {
      strings.writeValue(out, ((TextValue) value).text());
    }

    @Override
    @Nullable Object read(ByteReader in, int kind) {
      Object text = strings.read(in, kind);
      return text == null ? null : valueOf((String) text);
    }

    @Override
    Object readValue(ByteReader in) {
      return valueOf((String) strings.readValue(in));
    }

    private Object valueOf(String text) {
      try {
        return constructor.newInstance(text);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("cannot make " + constructor.getDeclaringClass(), e);
      }
    }
  }

  private static final class BytesShape extends ValueCodec {
    @Override
    void writeValue(ByteWriter out, Object value) {
      out.writeBytes((byte[]) value);
    }

    @Override
    Object readValue(ByteReader in) {
      return in.readBytes();
    }
  }

  private static final class InstantShape extends ValueCodec {
    @Override
    void writeValue(ByteWriter out, Object value) {
      Instant instant = (Instant) value;
      out.writeLong(instant.getEpochSecond());
      out.writeLong(instant.getNano());
    }

    @Override
    Object readValue(ByteReader in) {
      try {
        return Instant.ofEpochSecond(in.readLong(), in.readInt());
      } catch (DateTimeException | ArithmeticException e) {
        throw new MalformedMessageException("time out of range");
      }
    }
  }

  private static final class DurationShape extends ValueCodec {
    @Override
    void writeValue(ByteWriter out, Object value) {
      Duration duration = (Duration) value;
      out.writeLong(duration.getSeconds());
      out.writeLong(duration.getNano());
    }

    @Override
    Object readValue(ByteReader in) {
      try {
        return Duration.ofSeconds(in.readLong(), in.readInt());
      } catch (ArithmeticException e) {
        throw new MalformedMessageException("duration out of range");
      }
    }
  }

  private static final class EnumShape extends ValueCodec {
    private final String type;
    private final Map<String, Object> constants = new LinkedHashMap<>();

    EnumShape(Class<?> type) {
      this.type = type.getSimpleName();
      for (Object constant : type.getEnumConstants()) {
        constants.put(((Enum<?>) constant).name(), constant);
      }
    }

    @Override
    void writeValue(ByteWriter out, Object value) {
      out.writeString(((Enum<?>) value).name());
    }

    @Override
    Object readValue(ByteReader in) {
      String name = in.readString();
      Object constant = constants.get(name);
      if (constant == null) {
        throw new MalformedMessageException("unknown " + type + ": " + name);
      }
      return constant;
    }
  }

  private static final class ListShape extends ValueCodec {
    private final ValueCodec element;

    ListShape(ValueCodec element) {
      this.element = element;
    }

    @Override
    boolean same(Object value, Object other) {
      List<?> list = (List<?>) value;
      List<?> others = (List<?>) other;
      if (list.size() != others.size()) {
        return false;
      }
      // Two lists of one element each are the usual case in rows.
      Object last = list.isEmpty() ? null : list.getLast();
      Object otherLast = list.isEmpty() ? null : others.getLast();
      return (last == null || otherLast == null || element.same(last, otherLast))
          && list.equals(others);
    }

    @Override
    void writeValue(ByteWriter out, Object value) {
      List<?> list = (List<?>) value;
      out.writeLong(list.size());
      for (Object item : list) {
        element.write(out, item);
      }
    }

    @Override
    Object readValue(ByteReader in) {
      int count = in.readCount();
      List<@Nullable Object> list = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        list.add(element.readItem(in));
      }
      return Collections.unmodifiableList(list);
    }

    @Override
    Object missing() {
      return List.of();
    }
  }

  private static final class MapShape extends ValueCodec {
    private final ValueCodec element;

    MapShape(ValueCodec element) {
      this.element = element;
    }

    @Override
    void writeValue(ByteWriter out, Object value) {
      Map<?, ?> map = (Map<?, ?>) value;
      out.writeLong(map.size());
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.writeString((String) entry.getKey());
        element.write(out, entry.getValue());
      }
    }

    @Override
    Object readValue(ByteReader in) {
      int count = in.readCount();
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        map.put(in.readString(), element.readItem(in));
      }
      return Collections.unmodifiableMap(map);
    }

    @Override
    Object missing() {
      return Map.of();
    }
  }

  private static final class IntMapShape extends ValueCodec {
    private final ValueCodec element;

    IntMapShape(ValueCodec element) {
      this.element = element;
    }

    @Override
    void writeValue(ByteWriter out, Object value) {
      IntMap<?> map = (IntMap<?>) value;
      out.writeLong(map.size());
      map.forEach((key, item) -> {
        out.writeLong(key);
        element.writeValue(out, item);
      });
    }

    @Override
    Object readValue(ByteReader in) {
      int count = in.readCount();
      IntMap<Object> map = IntMap.empty();
      for (int i = 0; i < count; i++) {
        int key = in.readInt();
        if (key < 0) {
          throw new MalformedMessageException("negative key " + key);
        }
        map = map.with(key, element.readValue(in));
      }
      return map;
    }

    @Override
    Object missing() {
      return IntMap.empty();
    }
  }
}
