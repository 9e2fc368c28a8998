package io.dure.surface.squeue;

import io.dure.model.TaskIndices;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.request.ArrayRequest;
import io.dure.surface.message.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A job named by its number.
 *
 * @param jobId number of a job or an array
 * @param tasks the tasks of the array that are meant, null for all
 */
public record JobIdFilter(int jobId, @Nullable TaskIndices tasks) {

  private static final int MAX_INDEX = 4_000_001;

  /**
   * Reads {@code 12,13_4,14_[1-5]}.
   *
   * @throws CommandException if a part is no number of a job
   */
  public static List<JobIdFilter> parse(String text) throws CommandException {
    List<JobIdFilter> picks = new ArrayList<>();
    int start = 0;
    int depth = 0;
    for (int i = 0; i <= text.length(); i++) {
      char letter = i < text.length() ? text.charAt(i) : ',';
      if (letter == '[') {
        depth++;
      } else if (letter == ']') {
        depth--;
      } else if (letter == ',' && (depth <= 0 || i == text.length())) {
        String part = text.substring(start, i).strip();
        if (!part.isEmpty()) {
          picks.add(one(part));
        }
        start = i + 1;
      }
    }
    return picks;
  }

  private static JobIdFilter one(String part) throws CommandException {
    int end = 0;
    while (end < part.length() && Character.isDigit(part.charAt(end))) {
      end++;
    }
    int id = number(part.substring(0, end), part);
    if (end == part.length()) {
      return new JobIdFilter(id, null);
    }
    String rest = part.substring(end + 1);
    if (part.charAt(end) == '+' && rest.chars().allMatch(Character::isDigit)) {
      // The number of one component of a heterogeneous job stands for all.
      return new JobIdFilter(id, null);
    }
    if (part.charAt(end) != '_') {
      throw invalid(part);
    }
    try {
      return new JobIdFilter(id, ArrayRequest.parse(rest, MAX_INDEX).indices());
    } catch (ArrayRequest.InvalidArrayException e) {
      throw invalid(part);
    }
  }

  private static int number(String digits, String part) throws CommandException {
    if (digits.isEmpty()) {
      throw invalid(part);
    }
    // No job has a number that does not fit.
    int id = digits.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(digits);
    if (id == 0) {
      throw invalid(part);
    }
    return id;
  }

  private static CommandException invalid(String part) {
    return CommandException.error("Invalid job id: " + part);
  }

  /** The part of a record that is meant: the whole, less of an array that waits, or null. */
  public static @Nullable Job part(List<JobIdFilter> picks, Job job) {
    TreeSet<Integer> indices = new TreeSet<>();
    for (JobIdFilter pick : picks) {
      if (pick.jobId != job.baseId() && pick.jobId != job.id()) {
        continue;
      }
      TaskIndices tasks = pick.tasks;
      if (tasks == null) {
        return job;
      }
      switch (job.array()) {
        case null -> {
          // A task of what is no array.
        }
        case ArrayPart.Task task -> {
          if (tasks.contains(task.index())) {
            return job;
          }
        }
        case ArrayPart.Waiting waiting -> {
          for (int index : waiting.waiting().toList()) {
            if (tasks.contains(index)) {
              indices.add(index);
            }
          }
        }
      }
    }
    return indices.isEmpty() || !(job.array() instanceof ArrayPart.Waiting waiting)
        ? null
        : narrowed(job, waiting, List.copyOf(indices));
  }

  private static Job narrowed(Job job, ArrayPart.Waiting waiting, List<Integer> indices) {
    ArrayPart part =
        indices.size() == 1
            ? new ArrayPart.Task(
                waiting.arrayJobId(), waiting.shape(), indices.get(0), waiting.throttle())
            : new ArrayPart.Waiting(
                waiting.arrayJobId(), waiting.shape(), TaskIndices.of(indices), waiting.throttle());
    return job.withArray(job.id(), part);
  }
}
