package io.dure.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A sorted set of array task indices, kept as ranges so that an array of a hundred thousand tasks
 * is one small value.
 *
 * @param ranges disjoint, rising
 */
public record TaskIndices(List<TaskIndices.Range> ranges) {

  /**
   * Indices {@code first, first + step, ... last}; {@code last} is itself a member.
   *
   * @param step at least 1
   */
  public record Range(int first, int last, int step) {
    int size() {
      return (last - first) / step + 1;
    }

    boolean contains(int index) {
      return index >= first && index <= last && (index - first) % step == 0;
    }
  }

  /** No index. */
  public static final TaskIndices EMPTY = new TaskIndices(List.of());

  /** How many indices there are. */
  public int size() {
    int size = 0;
    for (Range range : ranges) {
      size += range.size();
    }
    return size;
  }

  /** True if there are none. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** The lowest index; the set must not be empty. */
  public int first() {
    return ranges.getFirst().first();
  }

  /** The highest index; the set must not be empty. */
  public int last() {
    int last = -1;
    for (Range range : ranges) {
      last = Math.max(last, range.last());
    }
    return last;
  }

  /** True if the index is a member. */
  public boolean contains(int index) {
    for (Range range : ranges) {
      if (range.contains(index)) {
        return true;
      }
    }
    return false;
  }

  /** The set without one index; the same set if it was no member. */
  public TaskIndices without(int index) {
    List<Range> left = new ArrayList<>(ranges.size() + 1);
    for (Range range : ranges) {
      if (!range.contains(index)) {
        left.add(range);
        continue;
      }
      if (index > range.first()) {
        left.add(new Range(range.first(), index - range.step(), range.step()));
      }
      if (index < range.last()) {
        left.add(new Range(index + range.step(), range.last(), range.step()));
      }
    }
    return new TaskIndices(List.copyOf(left));
  }

  /** All members, rising. */
  public List<Integer> toList() {
    List<Integer> all = new ArrayList<>(size());
    for (Range range : ranges) {
      for (int i = range.first(); i <= range.last(); i += range.step()) {
        all.add(i);
      }
    }
    return all;
  }

  /** As Slurm prints it: {@code 0-9}, {@code 6-18:2}, {@code 1,3,7-9}. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Range range : ranges) {
      if (!text.isEmpty()) {
        text.append(',');
      }
      append(text, range);
    }
    return text.toString();
  }

  private static void append(StringBuilder text, Range range) {
    if (range.first() == range.last()) {
      text.append(range.first());
    } else if (range.size() == 2 && range.step() > 1) {
      text.append(range.first()).append(',').append(range.last());
    } else {
      text.append(range.first()).append('-').append(range.last());
      if (range.step() > 1) {
        text.append(':').append(range.step());
      }
    }
  }

  /**
   * The set of the given members.
   *
   * @param sorted rising, without repeats
   */
  public static TaskIndices of(List<Integer> sorted) {
    List<Range> ranges = new ArrayList<>();
    int i = 0;
    while (i < sorted.size()) {
      int first = sorted.get(i);
      int step = i + 1 < sorted.size() ? sorted.get(i + 1) - first : 1;
      int end = i + 1;
      while (end < sorted.size() && sorted.get(end) - sorted.get(end - 1) == step) {
        end++;
      }
      if (end - i == 2 && step > 1) {
        end = i + 1;
      }
      ranges.add(new Range(first, sorted.get(end - 1), end - i == 1 ? 1 : step));
      i = end;
    }
    return new TaskIndices(List.copyOf(ranges));
  }
}
