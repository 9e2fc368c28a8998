package io.dure.model.step;

import java.util.ArrayList;
import java.util.List;

/**
 * What some tasks of a step run.
 *
 * @param ranks those tasks, as a line of a {@code --multi-prog} file lists them; empty for all,
 *     with nothing to be filled in
 * @param arguments the program and its arguments
 */
public record TaskProgram(List<Integer> ranks, List<String> arguments) {
  /** The same program for all tasks. */
  public static TaskProgram ofAll(List<String> arguments) {
    return new TaskProgram(List.of(), arguments);
  }

  /**
   * What a task runs: that of the first program that lists it, with {@code %t} as its rank and
   * {@code %o} as its place in that list.
   *
   * @throws IllegalArgumentException if no program is for it
   */
  public static List<String> argumentsOf(List<TaskProgram> programs, int rank) {
    for (TaskProgram program : programs) {
      int offset = program.ranks().indexOf(rank);
      if (program.ranks().isEmpty()) {
        return program.arguments();
      }
      if (offset >= 0) {
        return program.filledIn(rank, offset);
      }
    }
    throw new IllegalArgumentException("no program for task " + rank);
  }

  private List<String> filledIn(int rank, int offset) {
    List<String> filled = new ArrayList<>(arguments.size());
    for (String argument : arguments) {
      filled.add(
          argument.replace("%t", Integer.toString(rank)).replace("%o", Integer.toString(offset)));
    }
    return filled;
  }
}
