package io.dure.cluster.derived;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An immutable set of core indices of one node. */
public final class CoreSet {
  /** No core. */
  public static final CoreSet EMPTY = new CoreSet(new long[0]);

  private final long[] words;

  private CoreSet(long[] words) {
    this.words = words;
  }

  /** True if the core is a member. */
  public boolean contains(int core) {
    int word = core >> 6;
    return word < words.length && (words[word] & 1L << core) != 0;
  }

  /** Number of members. */
  public int size() {
    int size = 0;
    for (long word : words) {
      size += Long.bitCount(word);
    }
    return size;
  }

  /** This set and these cores. */
  public CoreSet plus(List<Integer> cores) {
    if (cores.isEmpty()) {
      return this;
    }
    long[] next = Arrays.copyOf(words, Math.max(words.length, (cores.getLast() >> 6) + 1));
    for (int core : cores) {
      next[core >> 6] |= 1L << core;
    }
    return new CoreSet(next);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CoreSet set && Arrays.equals(words, set.words);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(words);
  }
}
