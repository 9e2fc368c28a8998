package io.dure.model.request;

import io.dure.model.TaskIndices;
import io.dure.model.jobtext.TextValue;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that a job is asked to have: {@code 0-15}, {@code 1,3,7}, {@code 0-20:5}, each with an
 * optional {@code %n} for how many run at a time. Immutable; equal to one of the same text.
 */
public final class ArrayRequest implements TextValue {
  private final String text;
  private final List<TaskIndices.Range> ranges;
  private final int highest;
  private final int throttle;

  /** The text is no array specification, or an index is not below the bound. */
  public static final class InvalidArrayException extends Exception {
    private static final long serialVersionUID = 1;

    InvalidArrayException(String message) {
      super(message);
    }
  }

  /** As typed. */
  public ArrayRequest(String text) {
    this.text = text;
    List<TaskIndices.Range> read = new ArrayList<>();
    int most = 0;
    int last = 0;
    try {
      String body = text.strip();
      if (body.startsWith("[") && body.endsWith("]")) {
        body = body.substring(1, body.length() - 1);
      }
      int percent = body.indexOf('%');
      if (percent >= 0) {
        most = number(body.substring(percent + 1));
        body = body.substring(0, percent);
      }
      for (String part : body.split(",", -1)) {
        last = Math.max(last, range(part, read));
      }
    } catch (InvalidArrayException e) {
      read.clear();
    }
    ranges = List.copyOf(read);
    highest = last;
    throttle = most;
  }

  /** The request of a text, null where there is none. */
  public static @Nullable ArrayRequest of(@Nullable String text) {
    return text == null ? null : new ArrayRequest(text);
  }

  /**
   * The request of a text that somebody typed.
   *
   * @param maxArraySize MaxArraySize: indices are below it
   */
  public static ArrayRequest parse(String text, int maxArraySize) throws InvalidArrayException {
    return new ArrayRequest(text).within(maxArraySize);
  }

  /**
   * This one, if it can be read and its indices are below a bound.
   *
   * @param maxArraySize the bound
   */
  public ArrayRequest within(int maxArraySize) throws InvalidArrayException {
    if (ranges.isEmpty() || highest >= maxArraySize) {
      throw new InvalidArrayException("Invalid job array specification: " + text);
    }
    return this;
  }

  @Override
  public String text() {
    return text;
  }

  /**
   * The tasks; none where the text cannot be read. Of several ranges it is made anew each time, in
   * proportion to their members, which {@link #within} bounds.
   */
  public TaskIndices indices() {
    if (ranges.size() <= 1) {
      return new TaskIndices(ranges);
    }
    TreeSet<Integer> members = new TreeSet<>();
    for (TaskIndices.Range range : ranges) {
      members.addAll(new TaskIndices(List.of(range)).toList());
    }
    return TaskIndices.of(List.copyOf(members));
  }

  /** Most tasks at a time, 0 for no bound. */
  public int throttle() {
    return throttle;
  }

  /** Adds a part of the text, and returns the number that it ends with. */
  private static int range(String part, List<TaskIndices.Range> read) throws InvalidArrayException {
    int colon = part.indexOf(':');
    int step = colon < 0 ? 1 : number(part.substring(colon + 1));
    String span = colon < 0 ? part : part.substring(0, colon);
    int dash = span.indexOf('-');
    int first = number(dash < 0 ? span : span.substring(0, dash));
    int last = dash < 0 ? first : number(span.substring(dash + 1));
    if (step < 1 || last < first || (colon >= 0 && dash < 0)) {
      throw new InvalidArrayException(part);
    }
    read.add(new TaskIndices.Range(first, last - (last - first) % step, last == first ? 1 : step));
    return last;
  }

  private static int number(String digits) throws InvalidArrayException {
    try {
      if (!digits.isEmpty() && Character.isDigit(digits.charAt(0))) {
        return Integer.parseInt(digits);
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new InvalidArrayException(digits);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ArrayRequest request && text.equals(request.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
