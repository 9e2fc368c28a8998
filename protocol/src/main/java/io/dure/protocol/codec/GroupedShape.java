package io.dure.protocol.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A list that is written as the groups of its elements that are alike.
 *
 * @param <E> an element
 * @param <G> a group
 */
final class GroupedShape<E, G> extends ValueCodec {
  private final ValueCodec group;
  private final Function<List<E>, List<G>> grouped;
  private final Function<List<G>, List<E>> expanded;

  GroupedShape(
      ValueCodec group, Function<List<E>, List<G>> grouped, Function<List<G>, List<E>> expanded) {
    this.group = group;
    this.grouped = grouped;
    this.expanded = expanded;
  }

  @Override
  @SuppressWarnings("unchecked")
  void writeValue(ByteWriter out, Object value) {
    List<G> groups = grouped.apply((List<E>) value);
    out.writeLong(groups.size());
    for (G one : groups) {
      group.write(out, one);
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  Object readValue(ByteReader in) {
    int count = in.readCount();
    List<G> groups = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      groups.add((G) group.readItem(in));
    }
    try {
      return expanded.apply(groups);
    } catch (IllegalArgumentException e) {
      throw new MalformedMessageException("a group of nodes that is no host list");
    }
  }

  @Override
  Object missing() {
    return List.of();
  }
}
