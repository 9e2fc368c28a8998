package io.dure.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Slurm's hostlist expressions, such as {@code n[1-3,7,010-012],login}: names in text and back.
 *
 * <p>A bracket holds numbers and ranges of numbers; a leading zero fixes the number of digits. A
 * name may have several brackets, of which the last counts fastest. Names are separated by commas
 * or blanks outside brackets. One expression names at most {@value #MAX_HOSTS} hosts. All methods
 * are pure and may be called from any thread.
 */
public final class HostList {
  /** The most hosts that one expression may name. */
  public static final int MAX_HOSTS = 65_536;

  /** The most characters of one host's name. */
  public static final int MAX_NAME = 255;

  /** Names in Slurm's order: by prefix as people count ({@code n2} before {@code n10}). */
  public static final Comparator<String> ORDER =
      Comparator.comparing(Name::of, HostList::compare).thenComparing(Comparator.naturalOrder());

  private HostList() {}

  /**
   * The names of an expression in its own order, repetitions kept.
   *
   * @throws HostListException on an empty or reversed range, a bracket that does not close or open,
   *     a name longer than {@value #MAX_NAME} or more than {@value #MAX_HOSTS} hosts
   */
  public static List<String> expand(String expression) {
    List<String> names = new ArrayList<>();
    int at = 0;
    while (at < expression.length()) {
      if (isSeparator(expression.charAt(at))) {
        at++;
        continue;
      }
      int end = wordEnd(expression, at);
      new Word(expression, at, end).expandInto(names);
      at = end;
    }
    return List.copyOf(names);
  }

  /**
   * The same; the names of one range of numbers are made when they are asked for, so that they take
   * no room however many they are.
   */
  public static List<String> expandLazily(String expression) {
    return expression.indexOf('[') < 0
            || expression.indexOf('[') != expression.lastIndexOf('[')
            || !expression.endsWith("]")
        ? expand(expression)
        : new Word(expression, 0, expression.length()).lazily();
  }

  /** The shortest expression of the names, sorted and without repetitions. */
  public static String compress(Collection<String> names) {
    if (names instanceof HostRange range) {
      return range.expression();
    }
    List<Name> sorted = new ArrayList<>(names.size());
    for (String text : names) {
      sorted.add(Name.of(text));
    }
    sorted.sort(HostList::compare);
    return inOrder(sorted, true);
  }

  /** The expression of the names in the order given; only neighbours are drawn together. */
  public static String compressInOrder(Collection<String> names) {
    if (names instanceof HostRange range) {
      return range.expression();
    }
    List<Name> all = new ArrayList<>(names.size());
    for (String text : names) {
      all.add(Name.of(text));
    }
    return inOrder(all, false);
  }

  private static String inOrder(List<Name> names, boolean once) {
    StringBuilder out = new StringBuilder();
    List<Name> group = new ArrayList<>();
    for (Name name : names) {
      if (!group.isEmpty() && once && name.equals(group.getLast())) {
        continue;
      }
      if (!group.isEmpty() && !name.isSiblingOf(group.getFirst())) {
        appendGroup(out, group);
        group.clear();
      }
      group.add(name);
    }
    if (!group.isEmpty()) {
      appendGroup(out, group);
    }
    return out.toString();
  }

  private static boolean isSeparator(char c) {
    return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }

  private static int wordEnd(String text, int start) {
    boolean inBracket = false;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '[') {
        inBracket = true;
      } else if (c == ']') {
        inBracket = false;
      } else if (!inBracket && isSeparator(c)) {
        return i;
      }
    }
    return text.length();
  }

  private static void appendGroup(StringBuilder out, List<Name> group) {
    if (!out.isEmpty()) {
      out.append(',');
    }
    Name first = group.getFirst();
    out.append(first.prefix());
    if (group.size() == 1) {
      out.append(first.digits());
      return;
    }
    out.append('[');
    int at = 0;
    while (at < group.size()) {
      int last = at;
      while (last + 1 < group.size() && follows(group.get(last), group.get(last + 1))) {
        last++;
      }
      out.append(at == 0 ? "" : ",").append(group.get(at).digits());
      if (last > at) {
        out.append('-').append(group.get(last).digits());
      }
      at = last + 1;
    }
    out.append(']');
  }

  private static boolean follows(Name one, Name next) {
    long following = Long.parseLong(one.digits()) + 1;
    return one.digits().length() == next.digits().length()
        ? following == Long.parseLong(next.digits())
        : next.digits().equals(HostRange.padded(following, one.digits().length()));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static int compare(Name a, Name b) {
    int byPrefix = compareNaturally(a.prefix(), b.prefix());
    if (byPrefix != 0) {
      return byPrefix;
    }
    int byLength = Integer.compare(a.digits().length(), b.digits().length());
    return byLength != 0 ? byLength : a.digits().compareTo(b.digits());
  }

  /** Compares runs of digits by value and all else by character. */
  private static int compareNaturally(String a, String b) {
    int i = 0;
    int j = 0;
    while (i < a.length() && j < b.length()) {
      if (isDigit(a.charAt(i)) && isDigit(b.charAt(j))) {
        int endA = digitsEnd(a, i);
        int endB = digitsEnd(b, j);
        int byValue = compareDigits(a.substring(i, endA), b.substring(j, endB));
        if (byValue != 0) {
          return byValue;
        }
        i = endA;
        j = endB;
      } else if (a.charAt(i) != b.charAt(j)) {
        return Character.compare(a.charAt(i), b.charAt(j));
      } else {
        i++;
        j++;
      }
    }
    return Integer.compare(a.length() - i, b.length() - j);
  }

  private static int digitsEnd(String text, int start) {
    int end = start;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static int compareDigits(String a, String b) {
    String x = withoutZeros(a);
    String y = withoutZeros(b);
    if (x.length() != y.length()) {
      return Integer.compare(x.length(), y.length());
    }
    int byValue = x.compareTo(y);
    return byValue != 0 ? byValue : Integer.compare(a.length(), b.length());
  }

  private static String withoutZeros(String digits) {
    int start = 0;
    while (start < digits.length() - 1 && digits.charAt(start) == '0') {
      start++;
    }
    return digits.substring(start);
  }

  /** A host's name, cut before its last number; a name that ends otherwise has no digits. */
  private record Name(String prefix, String digits) {
    static Name of(String text) {
      int cut = text.length();
      while (cut > 0 && isDigit(text.charAt(cut - 1))) {
        cut--;
      }
      boolean counts = text.length() - cut <= HostRange.MAX_DIGITS;
      return counts ? new Name(text.substring(0, cut), text.substring(cut)) : new Name(text, "");
    }

    boolean isSiblingOf(Name other) {
      return !digits.isEmpty() && !other.digits.isEmpty() && prefix.equals(other.prefix);
    }
  }

  /** A range of numbers as written: {@code width} digits at least. */
  private record Range(long low, long high, int width) {
    long size() {
      return high - low + 1;
    }
  }

  /** A stretch of a word: either plain text or the ranges of one bracket. */
  private record Part(String text, List<Range> ranges) {
    boolean isText() {
      return ranges.isEmpty();
    }
  }

  /** One name of an expression, with its brackets. */
  private static final class Word {
    private final String source;
    private final int end;
    private int at;

    Word(String source, int start, int end) {
      this.source = source;
      this.at = start;
      this.end = end;
    }

    /** The names of a word that is all of its source and may end in its only bracket. */
    List<String> lazily() {
      Part text = text();
      Part numbers = bracket();
      Range only = numbers.ranges().getFirst();
      boolean isRange =
          numbers.ranges().size() == 1
              && at == source.length()
              && !text.text().isEmpty()
              && !isDigit(text.text().charAt(text.text().length() - 1))
              && text.text().chars().noneMatch(c -> isSeparator((char) c))
              && text.text().length() + HostRange.MAX_DIGITS <= MAX_NAME;
      return isRange
          ? new HostRange(text.text(), only.low(), only.width(), (int) only.size())
          : expand(source);
    }

    void expandInto(List<String> names) {
      int start = at;
      List<Part> parts = new ArrayList<>();
      long count = 1;
      while (at < end) {
        Part part = source.charAt(at) == '[' ? bracket() : text();
        parts.add(part);
        if (!part.isText()) {
          count *= sizeOf(part);
          if (count > MAX_HOSTS) {
            throw tooMany(start, end);
          }
        }
      }
      if (names.size() + count > MAX_HOSTS) {
        throw tooMany(start, end);
      }
      append(parts, 0, "", names);
    }

    private void append(List<Part> parts, int index, String name, List<String> names) {
      if (name.length() > MAX_NAME) {
        throw new HostListException("Host name too long: " + shown(name), at);
      }
      if (index == parts.size()) {
        names.add(name);
        return;
      }
      Part part = parts.get(index);
      if (part.isText()) {
        append(parts, index + 1, name + part.text(), names);
        return;
      }
      for (Range range : part.ranges()) {
        for (long n = range.low(); n <= range.high(); n++) {
          append(parts, index + 1, name + HostRange.padded(n, range.width()), names);
        }
      }
    }

    private static long sizeOf(Part part) {
      long size = 0;
      for (Range range : part.ranges()) {
        size += range.size();
      }
      return size;
    }

    private Part text() {
      int start = at;
      while (at < end && source.charAt(at) != '[') {
        if (source.charAt(at) == ']') {
          throw new HostListException("Unbalanced ']' in host list at character " + (at + 1), at);
        }
        at++;
      }
      if (at - start > MAX_NAME) {
        String name = source.substring(start, start + MAX_NAME);
        throw new HostListException("Host name too long: " + shown(name), start);
      }
      return new Part(source.substring(start, at), List.of());
    }

    private Part bracket() {
      int open = at;
      at++;
      List<Range> ranges = new ArrayList<>();
      long size = 0;
      do {
        int start = at;
        Range range = range(open);
        ranges.add(range);
        size += range.size();
        if (size > MAX_HOSTS) {
          throw tooMany(start, at);
        }
        if (at >= end) {
          throw unclosed(open);
        }
        char c = source.charAt(at);
        if (c != ',' && c != ']') {
          throw new HostListException("Invalid hostlist range: unexpected '" + c + "'", at);
        }
        at++;
        if (c == ']') {
          return new Part("", ranges);
        }
      } while (true);
    }

    private Range range(int open) {
      int start = at;
      String low = number(open);
      String high = low;
      if (at < end && source.charAt(at) == '-') {
        at++;
        high = number(open);
      }
      Range range = new Range(Long.parseLong(low), Long.parseLong(high), low.length());
      if (range.high() < range.low()) {
        String text = source.substring(start, at);
        throw new HostListException("Invalid hostlist range (reversed): '" + text + "'", start);
      }
      return range;
    }

    private String number(int open) {
      int start = at;
      while (at < end && isDigit(source.charAt(at))) {
        at++;
      }
      if (at == start) {
        if (at >= end) {
          throw unclosed(open);
        }
        throw new HostListException("Invalid hostlist range (a number is missing)", at);
      }
      if (at - start > HostRange.MAX_DIGITS) {
        throw new HostListException("Invalid hostlist range (number too long)", start);
      }
      return source.substring(start, at);
    }

    private HostListException unclosed(int open) {
      return new HostListException("Missing ']' in host list '" + shownFrom(open) + "'", open);
    }

    private HostListException tooMany(int from, int to) {
      String text = source.substring(from, to);
      String message = "Too many hosts in range '" + shown(text) + "'";
      return new HostListException(message + " (at most " + MAX_HOSTS + ")", from);
    }

    private String shownFrom(int start) {
      return shown(source.substring(start, end));
    }

    private static String shown(String text) {
      return text.length() <= 60 ? text : text.substring(0, 57) + "...";
    }
  }
}
