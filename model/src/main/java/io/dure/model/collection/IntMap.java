package io.dure.model.collection;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from non-negative ints to values. Changing it gives a new map that shares all
 * but a path of its nodes with the old one (a 32-way radix tree), so that a snapshot is a
 * reference: any thread may read any version at any time. Iteration is in rising order of the keys.
 *
 * @param <V> values, never null
 */
public final class IntMap<V> {
  private static final int BITS = 5;
  private static final int MASK = 31;
  private static final IntMap<?> EMPTY = new IntMap<>(null, 0, 0);

  private final @Nullable Object @Nullable [] root;
  private final int shift;
  private final int size;

  private IntMap(@Nullable Object @Nullable [] root, int shift, int size) {
    this.root = root;
    this.shift = shift;
    this.size = size;
  }

  /** The map without entries. */
  @SuppressWarnings("unchecked") // it holds no value of any type
  public static <V> IntMap<V> empty() {
    return (IntMap<V>) EMPTY;
  }

  /** Number of entries. */
  public int size() {
    return size;
  }

  /** True if there is no entry. */
  public boolean isEmpty() {
    return size == 0;
  }

  /** True if the key has a value. */
  public boolean contains(int key) {
    return get(key) != null;
  }

  /** The value of a key, null where it has none. */
  @SuppressWarnings("unchecked") // leaves hold only V
  public @Nullable V get(int key) {
    @Nullable Object[] node = root;
    if (node == null || key < 0 || key >>> shift > MASK) {
      return null;
    }
    for (int s = shift; s > 0; s -= BITS) {
      @Nullable Object next = node[(key >>> s) & MASK];
      if (next == null) {
        return null;
      }
      node = (@Nullable Object[]) next;
    }
    return (V) node[key & MASK];
  }

  /**
   * The value of a key that has one.
   *
   * @throws NoSuchElementException if it has none
   */
  public V require(int key) {
    V value = get(key);
    if (value == null) {
      throw new NoSuchElementException("no entry " + key);
    }
    return value;
  }

  /**
   * This map with the key bound to the value.
   *
   * @param key not negative
   */
  public IntMap<V> with(int key, V value) {
    if (key < 0) {
      throw new IllegalArgumentException("negative key " + key);
    }
    @Nullable Object[] top = root;
    int s = shift;
    if (top == null) {
      top = new @Nullable Object[MASK + 1];
      s = 0;
    }
    while (key >>> s > MASK) {
      @Nullable Object[] higher = new @Nullable Object[MASK + 1];
      higher[0] = top;
      top = higher;
      s += BITS;
    }
    boolean added = !contains(key);
    return new IntMap<>(put(top, s, key, value), s, added ? size + 1 : size);
  }

  private static @Nullable Object[] put(@Nullable Object[] node, int s, int key, Object value) {
    @Nullable Object[] copy = node.clone();
    int slot = (key >>> s) & MASK;
    if (s == 0) {
      copy[slot] = value;
    } else {
      @Nullable Object child = copy[slot];
      copy[slot] =
          put(
              child == null ? new @Nullable Object[MASK + 1] : (@Nullable Object[]) child,
              s - BITS,
              key,
              value);
    }
    return copy;
  }

  /** This map without the key; the same map if it had no value. */
  public IntMap<V> without(int key) {
    @Nullable Object[] top = root;
    if (top == null || !contains(key)) {
      return this;
    }
    return size == 1 ? empty() : new IntMap<>(remove(top, shift, key), shift, size - 1);
  }

  private static @Nullable Object @Nullable [] remove(@Nullable Object[] node, int s, int key) {
    @Nullable Object[] copy = node.clone();
    int slot = (key >>> s) & MASK;
    @Nullable Object child = copy[slot];
    copy[slot] = s == 0 || child == null ? null : remove((@Nullable Object[]) child, s - BITS, key);
    for (@Nullable Object entry : copy) {
      if (entry != null) {
        return copy;
      }
    }
    return null;
  }

  /** Calls the action for each entry, keys rising. */
  @SuppressWarnings("unchecked") // leaves hold only V
  public void forEach(BiConsumer<Integer, ? super V> action) {
    @Nullable Object[] top = root;
    if (top != null) {
      walk(top, shift, 0, (BiConsumer<Integer, Object>) action);
    }
  }

  private static void walk(
      @Nullable Object[] node, int s, int prefix, BiConsumer<Integer, Object> action) {
    for (int i = 0; i <= MASK; i++) {
      Object entry = node[i];
      if (entry == null) {
        continue;
      }
      int key = prefix | (i << s);
      if (s == 0) {
        action.accept(key, entry);
      } else {
        walk((@Nullable Object[]) entry, s - BITS, key, action);
      }
    }
  }

  /** True if a value passes the test; keys rising, no further than the first that does. */
  @SuppressWarnings("unchecked") // leaves hold only V
  public boolean any(Predicate<? super V> test) {
    @Nullable Object[] top = root;
    return top != null && any(top, shift, (Predicate<Object>) test);
  }

  private static boolean any(@Nullable Object[] node, int s, Predicate<Object> test) {
    for (Object entry : node) {
      if (entry != null
          && (s == 0 ? test.test(entry) : any((@Nullable Object[]) entry, s - BITS, test))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Calls the action for each key whose values here and there are not the same object, or that only
   * one of the maps has. Takes time for what differs, not for what both maps share.
   */
  public void forEachDifference(IntMap<V> other, IntConsumer action) {
    if (shift == other.shift || root == null || other.root == null) {
      differ(root, other.root, Math.max(shift, other.shift), 0, action);
      return;
    }
    // Of different height: they share no node that could be skipped.
    forEach((key, value) -> {
      if (!same(other.get(key), value)) {
        action.accept(key);
      }
    });
    other.forEach((key, _) -> {
      if (!contains(key)) {
        action.accept(key);
      }
    });
  }

  private static void differ(
      @Nullable Object @Nullable [] one,
      @Nullable Object @Nullable [] two,
      int s,
      int prefix,
      IntConsumer action) {
    if (same(one, two)) {
      return;
    }
    for (int i = 0; i <= MASK; i++) {
      Object left = one == null ? null : one[i];
      Object right = two == null ? null : two[i];
      int key = prefix | (i << s);
      if (same(left, right)) {
        continue;
      }
      if (s == 0) {
        action.accept(key);
      } else {
        differ((@Nullable Object[]) left, (@Nullable Object[]) right, s - BITS, key, action);
      }
    }
  }

  @SuppressWarnings("ReferenceEquality") // values that are equal but not the same may be reported
  private static boolean same(@Nullable Object one, @Nullable Object two) {
    return one == two;
  }

  /** The values, keys rising, in a list of their own. */
  public List<V> values() {
    List<V> values = new ArrayList<>(size);
    forEach((_, value) -> values.add(value));
    return values;
  }

  /** The keys, rising, in a list of their own. */
  public List<Integer> keys() {
    List<Integer> keys = new ArrayList<>(size);
    forEach((key, _) -> keys.add(key));
    return keys;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IntMap<?> map
        && map.size == size
        && map.keys().equals(keys())
        && map.values().equals(values());
  }

  @Override
  public int hashCode() {
    return keys().hashCode() * 31 + values().hashCode();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    forEach((key, value) ->
        text.append(text.length() > 1 ? ", " : "").append(key).append('=').append(value));
    return text.append('}').toString();
  }
}
