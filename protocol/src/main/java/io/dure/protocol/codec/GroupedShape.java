package io.dure.protocol.codec;

import io.dure.model.collection.GroupedShares;
import io.dure.model.collection.ShareGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A list that is written as the groups of its elements that are alike.
 *
 * @param <E> an element
 * @param <G> a group
 */
final class GroupedShape<E, G extends ShareGroup<E>> extends ValueCodec {
  private final ValueCodec group;
  private final Function<List<E>, List<G>> grouped;

  GroupedShape(ValueCodec group, Function<List<E>, List<G>> grouped) {
    this.group = group;
    this.grouped = grouped;
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
      GroupedShares<E> shares = new GroupedShares<>(groups);
      return in.keepsGroups() ? shares : List.copyOf(shares);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new MalformedMessageException("a group of nodes that is no host list");
    }
  }

  @Override
  Object missing() {
    return List.of();
  }
}
