package io.dure.model.collection;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values that have a name and a place: places rise in the order in which names came, and are not
 * used again. Immutable, and a changed one shares most of this one.
 */
public final class NamedSeries<V> {
  private final IntMap<V> values;
  private final SortedMap<String, Integer> places;

  private NamedSeries(IntMap<V> values, SortedMap<String, Integer> places) {
    this.values = values;
    this.places = places;
  }

  /** No values. */
  public static <V> NamedSeries<V> empty() {
    return new NamedSeries<>(IntMap.empty(), new TreeMap<>());
  }

  /** These values, in this order. */
  public static <V> NamedSeries<V> of(List<V> values, Function<V, String> name) {
    IntMap<V> byPlace = IntMap.empty();
    TreeMap<String, Integer> places = new TreeMap<>();
    for (V value : values) {
      places.put(name.apply(value), byPlace.size());
      byPlace = byPlace.with(byPlace.size(), value);
    }
    return new NamedSeries<>(byPlace, places);
  }

  /** The values by their places. */
  public IntMap<V> byPlace() {
    return values;
  }

  /** The place of a name, -1 if it has none. */
  public int place(String name) {
    return places.getOrDefault(name, -1);
  }

  /** The value of that name, null if there is none. */
  public @Nullable V get(String name) {
    return values.get(place(name));
  }

  /** The same with that value in place of the one of its name, or behind the last one. */
  public NamedSeries<V> with(String name, V value) {
    Integer place = places.get(name);
    if (place != null) {
      return new NamedSeries<>(values.with(place, value), places);
    }
    int next = places.isEmpty() ? 0 : Collections.max(places.values()) + 1;
    TreeMap<String, Integer> more = new TreeMap<>(places);
    more.put(name, next);
    return new NamedSeries<>(values.with(next, value), more);
  }

  /** The same without the value of that name. */
  public NamedSeries<V> without(String name) {
    Integer place = places.get(name);
    if (place == null) {
      return this;
    }
    TreeMap<String, Integer> fewer = new TreeMap<>(places);
    fewer.remove(name);
    return new NamedSeries<>(values.without(place), fewer);
  }
}
