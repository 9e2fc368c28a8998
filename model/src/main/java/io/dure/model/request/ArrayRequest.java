package io.dure.model.request;

import io.dure.model.TaskIndices;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A parsed {@code --array} value.
 *
 * @param indices the tasks, at least one
 * @param throttle most tasks at a time, 0 for no bound
 */
public record ArrayRequest(TaskIndices indices, int throttle) {

  /** The text is no array specification, or an index is not below the bound. */
  public static final class InvalidArrayException extends Exception {
    private static final long serialVersionUID = 1;

    InvalidArrayException(String message) {
      super(message);
    }
  }

  /**
   * Reads {@code 0-15}, {@code 1,3,7}, {@code 0-20:5}, each with an optional {@code %n}.
   *
   * @param maxArraySize MaxArraySize: indices are below it
   * @throws InvalidArrayException naming the part that is wrong
   */
  public static ArrayRequest parse(String text, int maxArraySize) throws InvalidArrayException {
    String body = text.strip();
    if (body.startsWith("[") && body.endsWith("]")) {
      body = body.substring(1, body.length() - 1);
    }
    int throttle = 0;
    int percent = body.indexOf('%');
    if (percent >= 0) {
      throttle = number(body.substring(percent + 1), text);
      body = body.substring(0, percent);
    }
    List<TaskIndices.Range> ranges = new ArrayList<>();
    for (String part : body.split(",", -1)) {
      ranges.add(range(part, text, maxArraySize));
    }
    return new ArrayRequest(merge(ranges), throttle);
  }

  private static TaskIndices.Range range(String part, String text, int bound)
      throws InvalidArrayException {
    int colon = part.indexOf(':');
    int step = colon < 0 ? 1 : number(part.substring(colon + 1), text);
    String span = colon < 0 ? part : part.substring(0, colon);
    int dash = span.indexOf('-');
    int first = number(dash < 0 ? span : span.substring(0, dash), text);
    int last = dash < 0 ? first : number(span.substring(dash + 1), text);
    if (step < 1 || last < first || last >= bound || (colon >= 0 && dash < 0)) {
      throw new InvalidArrayException("Invalid job array specification: " + text);
    }
    return new TaskIndices.Range(first, last - (last - first) % step, last == first ? 1 : step);
  }

  private static int number(String digits, String text) throws InvalidArrayException {
    try {
      if (!digits.isEmpty() && Character.isDigit(digits.charAt(0))) {
        return Integer.parseInt(digits);
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new InvalidArrayException("Invalid job array specification: " + text);
  }

  private static TaskIndices merge(List<TaskIndices.Range> ranges) {
    if (ranges.size() == 1) {
      return new TaskIndices(List.copyOf(ranges));
    }
    TreeSet<Integer> members = new TreeSet<>();
    for (TaskIndices.Range range : ranges) {
      members.addAll(new TaskIndices(List.of(range)).toList());
    }
    return TaskIndices.of(List.copyOf(members));
  }
}
