package io.dure.model;

import java.util.AbstractList;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * The names of hosts that are numbered without a gap, each made when it is asked for: thousands of
 * them take no more room than two. Immutable; any thread.
 */
final class HostRange extends AbstractList<String> implements RandomAccess {
  static final int MAX_DIGITS = 18;

  private final String prefix;
  private final long first;
  private final int width;
  private final int size;

  /**
   * Those names.
   *
   * @param prefix what they begin with, not ending in a digit
   * @param first the number of the first
   * @param width so many digits at least
   * @param size how many
   */
  HostRange(String prefix, long first, int width, int size) {
    this.prefix = prefix;
    this.first = first;
    this.width = width;
    this.size = size;
  }

  /** A number with so many digits at least. */
  static String padded(long number, int width) {
    String digits = Long.toString(number);
    return digits.length() >= width ? digits : "0".repeat(width - digits.length()) + digits;
  }

  /** They as a host list. */
  String expression() {
    return size == 1 ? get(0) : prefix + "[" + digits(0) + "-" + digits(size - 1) + "]";
  }

  private String digits(int index) {
    return padded(first + index, width);
  }

  @Override
  public String get(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
    return prefix + digits(index);
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public boolean contains(@Nullable Object name) {
    return indexOf(name) >= 0;
  }

  @Override
  public int indexOf(@Nullable Object name) {
    if (!(name instanceof String text)
        || !text.startsWith(prefix)
        || text.length() - prefix.length() > MAX_DIGITS) {
      return -1;
    }
    long number = 0;
    for (int i = prefix.length(); i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      number = number * 10 + (c - '0');
    }
    long index = number - first;
    return index >= 0 && index < size && text.equals(get((int) index)) ? (int) index : -1;
  }

  @Override
  public int lastIndexOf(@Nullable Object name) {
    return indexOf(name);
  }
}
