package io.dure.model.collection;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Shares of nodes that are made from their groups when they are asked for: each of thousands of
 * nodes that run a step knows the shares of all. Immutable; any thread.
 *
 * @param <E> a share
 */
public final class GroupedShares<E> extends AbstractList<E> implements RandomAccess {
  private final List<ShareGroup<E>> groups;
  private final List<List<String>> names;
  private final int[] ends;

  /**
   * The shares of these groups.
   *
   * @throws io.dure.model.HostListException if one has nodes that are no host list
   */
  public GroupedShares(List<? extends ShareGroup<E>> groups) {
    this.groups = List.copyOf(groups);
    this.names = this.groups.stream().map(ShareGroup::names).toList();
    this.ends = new int[names.size()];
    int end = 0;
    for (int i = 0; i < ends.length; i++) {
      end = Math.addExact(end, names.get(i).size());
      ends[i] = end;
    }
  }

  /** Its groups, as they were given. */
  public List<ShareGroup<E>> groups() {
    return groups;
  }

  /** The names of the nodes of shares, in order, of which some may be made when asked for. */
  public static <E> List<String> names(List<E> shares, Function<E, String> name) {
    if (shares instanceof GroupedShares<E> grouped) {
      return grouped.names();
    }
    List<String> names = new ArrayList<>(shares.size());
    for (E share : shares) {
      names.add(name.apply(share));
    }
    return names;
  }

  /** The place of the share of a node, -1 for a node that has none. */
  public static <E> int indexOf(List<E> shares, Function<E, String> name, String node) {
    if (shares instanceof GroupedShares<E> grouped) {
      return grouped.names().indexOf(node);
    }
    for (int i = 0; i < shares.size(); i++) {
      if (name.apply(shares.get(i)).equals(node)) {
        return i;
      }
    }
    return -1;
  }

  /** A number of each share; it must be the same in a group. */
  public static <E> List<Integer> numbers(List<E> shares, ToIntFunction<E> number) {
    List<Integer> numbers = new ArrayList<>(shares.size());
    if (shares instanceof GroupedShares<E> grouped) {
      for (int i = 0; i < grouped.ends.length; i++) {
        int size = grouped.names.get(i).size();
        if (size > 0) {
          int each = number.applyAsInt(grouped.get(grouped.ends[i] - size));
          numbers.addAll(Collections.nCopies(size, each));
        }
      }
      return numbers;
    }
    for (E share : shares) {
      numbers.add(number.applyAsInt(share));
    }
    return numbers;
  }

  private List<String> names() {
    return names.size() == 1 ? names.getFirst() : new Names();
  }

  @Override
  public E get(int index) {
    int group = groupOf(index);
    int place = index - ends[group] + names.get(group).size();
    return groups.get(group).share(names.get(group).get(place), place);
  }

  private int groupOf(int index) {
    if (index < 0 || index >= size()) {
      throw new IndexOutOfBoundsException(index);
    }
    int found = Arrays.binarySearch(ends, index + 1);
    int group = found < 0 ? -found - 1 : found;
    while (group > 0 && ends[group - 1] > index) {
      group--; // one of several without nodes
    }
    return group;
  }

  @Override
  public int size() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  /** The names of all groups. */
  private final class Names extends AbstractList<String> implements RandomAccess {
    @Override
    public String get(int index) {
      int group = groupOf(index);
      return names.get(group).get(index - ends[group] + names.get(group).size());
    }

    @Override
    public int size() {
      return GroupedShares.this.size();
    }

    @Override
    public boolean contains(@Nullable Object name) {
      return indexOf(name) >= 0;
    }

    @Override
    public int indexOf(@Nullable Object name) {
      for (int i = 0; i < ends.length; i++) {
        int place = names.get(i).indexOf(name);
        if (place >= 0) {
          return ends[i] - names.get(i).size() + place;
        }
      }
      return -1;
    }
  }
}
