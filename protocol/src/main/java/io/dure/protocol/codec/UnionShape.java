package io.dure.protocol.codec;

import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A sealed interface: the tag of the record, then the record. Where once there was a record and now
 * is an interface with it among others, the interface has a constant {@code UNTAGGED} with that
 * record's tag: it is written as before, and the others behind a byte of their own.
 */
final class UnionShape extends ValueCodec {
  private static final int TAGGED = 3;

  private final Class<?> type;
  private final Function<Type, ValueCodec> codecs;
  private final Map<String, Class<?>> members = new LinkedHashMap<>();
  private final Map<Class<?>, String> tags = new LinkedHashMap<>();

  /** The record that is written without a tag, null if there is none. */
  private final @Nullable Class<?> untagged;

  UnionShape(Class<?> type, Function<Type, ValueCodec> codecs) {
    this.type = type;
    this.codecs = codecs;
    collect(type);
    String tag = Tags.untagged(type);
    untagged = tag == null ? null : members.get(tag);
    if (tag != null && untagged == null) {
      throw new IllegalArgumentException(type + " has no member " + tag);
    }
  }

  @Override
  void write(ByteWriter out, @Nullable Object value) {
    if (untagged == null || value == null) {
      super.write(out, value);
    } else if (value.getClass() == untagged) {
      codecs.apply(untagged).write(out, value);
    } else {
      out.writeByte(TAGGED);
      writeValue(out, value);
    }
  }

  @Override
  void writeAnew(ByteWriter out, Object value) {
    if (untagged == null) {
      super.writeAnew(out, value);
    } else {
      write(out, value);
    }
  }

  @Override
  @Nullable Object read(ByteReader in, int kind) {
    if (untagged == null) {
      return super.read(in, kind);
    }
    return kind == TAGGED ? readValue(in) : codecs.apply(untagged).read(in, kind);
  }

  @Override
  boolean same(Object value, Object other) {
    return value.getClass() == other.getClass()
        && codecs.apply(value.getClass()).same(value, other);
  }

  private void collect(Class<?> sealed) {
    for (Class<?> member : sealed.getPermittedSubclasses()) {
      if (member.isSealed()) {
        collect(member);
      } else {
        String tag = Tags.of(member);
        tags.put(member, tag);
        if (members.put(tag, member) != null) {
          throw new IllegalArgumentException("two kinds of " + type + " have one tag: " + tag);
        }
      }
    }
  }

  @Override
  void writeValue(ByteWriter out, Object value) {
    String tag = tags.get(value.getClass());
    if (tag == null) {
      throw new IllegalArgumentException(value.getClass() + " is no kind of " + type);
    }
    out.writeString(tag);
    codecs.apply(value.getClass()).writeValue(out, value);
  }

  @Override
  Object readValue(ByteReader in) {
    String tag = in.readString();
    Class<?> member = members.get(tag);
    if (member == null) {
      throw new MalformedMessageException("unknown kind of " + type.getSimpleName() + ": " + tag);
    }
    return codecs.apply(member).readValue(in);
  }
}
