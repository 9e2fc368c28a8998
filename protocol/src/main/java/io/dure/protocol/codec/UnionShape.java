package io.dure.protocol.codec;

import java.util.LinkedHashMap;
import java.util.Map;

/** A sealed interface: the tag of the record, then the record. */
final class UnionShape extends ValueCodec {
  private final Class<?> type;
  private final Map<String, Class<?>> members = new LinkedHashMap<>();
  private final Map<Class<?>, String> tags = new LinkedHashMap<>();

  UnionShape(Class<?> type) {
    this.type = type;
    collect(type);
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
    of(value.getClass()).writeValue(out, value);
  }

  @Override
  Object readValue(ByteReader in) {
    String tag = in.readString();
    Class<?> member = members.get(tag);
    if (member == null) {
      throw new MalformedMessageException("unknown kind of " + type.getSimpleName() + ": " + tag);
    }
    return of(member).readValue(in);
  }
}
