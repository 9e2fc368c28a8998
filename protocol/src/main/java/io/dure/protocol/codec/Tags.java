package io.dure.protocol.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

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
    try {
      Field tag = member.getDeclaredField("TAG");
      if (Modifier.isStatic(tag.getModifiers()) && tag.getType() == String.class) {
        tag.setAccessible(true);
        return (String) tag.get(null);
      }
    } catch (NoSuchFieldException | IllegalAccessException e) {
      throw new IllegalArgumentException(member + " has no TAG", e);
    }
    throw new IllegalArgumentException("the TAG of " + member + " is no constant text");
  }
}
