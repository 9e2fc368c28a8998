package io.dure.protocol.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * The tags of the members of sealed interfaces: what a member is called in messages and files,
 * whatever its class is called. Each member keeps its own in a constant {@code TAG}; a constant and
 * not an annotation, because to read the first annotation takes a new process some 10 ms.
 */
final class Tags {
  private Tags() {}

  /**
   * The tag of a member.
   *
   * @throws IllegalArgumentException if it has none
   */
  static String of(Class<?> member) {
    String tag = constant(member, "TAG");
    if (tag == null) {
      throw new IllegalArgumentException(member + " has no TAG");
    }
    return tag;
  }

  /** The tag of the member that is written without it, null if all are written with theirs. */
  static @Nullable String untagged(Class<?> union) {
    return constant(union, "UNTAGGED");
  }

  private static @Nullable String constant(Class<?> type, String name) {
    for (Field field : type.getDeclaredFields()) {
      if (field.getName().equals(name)
          && Modifier.isStatic(field.getModifiers())
          && field.getType() == String.class) {
        try {
          field.setAccessible(true);
          return (String) field.get(null);
        } catch (IllegalAccessException e) {
          throw new IllegalArgumentException("cannot read " + field, e);
        }
      }
    }
    return null;
  }
}
