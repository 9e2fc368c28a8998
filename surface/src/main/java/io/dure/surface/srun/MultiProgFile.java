package io.dure.surface.srun;

import io.dure.model.step.TaskProgram;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Reads the file of {@code --multi-prog}: a line says which tasks run which program. */
public final class MultiProgFile {
  private static final int MOST_DIGITS = 9;

  private final String name;
  private final int tasks;
  private final List<String> more;
  private final Set<Integer> taken = new HashSet<>();
  private final List<TaskProgram> programs = new ArrayList<>();

  /**
   * A reader of one file.
   *
   * @param name what the user calls it, for messages
   * @param tasks how many tasks the step has
   * @param more arguments that each program gets behind its own
   */
  public MultiProgFile(String name, int tasks, List<String> more) {
    this.name = name;
    this.tasks = tasks;
    this.more = more;
  }

  /**
   * The programs of all tasks.
   *
   * @throws CommandException if a line is wrong, or a task has no program or two
   */
  public List<TaskProgram> read(String text) throws CommandException {
    String[] lines = text.split("\n", -1);
    int i = 0;
    while (i < lines.length) {
      int number = i + 1;
      StringBuilder line = new StringBuilder(lines[i++]);
      while (line.toString().endsWith("\\") && i < lines.length) {
        line.append(lines[i++]);
      }
      if (!line.isEmpty() && line.charAt(0) != '#') {
        add(line.toString(), number);
      }
    }
    for (int rank = 0; rank < tasks; rank++) {
      if (!taken.contains(rank)) {
        throw CommandException.error(
            "Configuration file " + name + " invalid, no record for task id " + rank);
      }
    }
    return List.copyOf(programs);
  }

  private void add(String line, int number) throws CommandException {
    List<String> words = words(line);
    if (words.isEmpty()) {
      return;
    }
    try {
      List<Integer> ranks = ranks(words.getFirst());
      if (words.size() < 2) {
        throw new CommandException(1, List.of());
      }
      List<String> arguments = new ArrayList<>(words.subList(1, words.size()));
      arguments.addAll(more);
      programs.add(new TaskProgram(ranks, List.copyOf(arguments)));
    } catch (CommandException e) {
      throw e.and(
          StderrMessage.error("Line " + number + " of configuration file " + name + " invalid"));
    }
  }

  private List<Integer> ranks(String text) throws CommandException {
    if (text.equals("*")) {
      IntStream.range(0, tasks).forEach(taken::add);
      return IntStream.range(0, tasks).boxed().toList();
    }
    List<Integer> ranks = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int dash = part.indexOf('-');
      int first = number(dash < 0 ? part : part.substring(0, dash), text);
      int last = dash < 0 ? first : number(part.substring(dash + 1), text);
      if (last < first) {
        throw badRange(text);
      }
      if (last >= tasks) {
        throw CommandException.error("Invalid task id, " + last + " >= ntasks");
      }
      for (int rank = first; rank <= last; rank++) {
        if (!taken.add(rank)) {
          throw CommandException.error("Duplicate record for task " + rank);
        }
        ranks.add(rank);
      }
    }
    return List.copyOf(ranks);
  }

  private static int number(String digits, String text) throws CommandException {
    if (digits.isEmpty()
        || digits.length() > MOST_DIGITS
        || !digits.chars().allMatch(letter -> letter >= '0' && letter <= '9')) {
      throw badRange(text);
    }
    return Integer.parseInt(digits);
  }

  private static CommandException badRange(String text) {
    return CommandException.error("Invalid task range specification (" + text + ")");
  }

  /** Blanks part words, single quotes hold them together, a backslash is left out. */
  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = null;
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char letter = line.charAt(i);
      boolean blank = !quoted && (letter == ' ' || letter == '\t' || letter == '\r');
      if (blank) {
        if (word != null) {
          words.add(word.toString());
          word = null;
        }
        continue;
      }
      word = word == null ? new StringBuilder() : word;
      if (letter == '\'') {
        quoted = !quoted;
      } else if (letter != '\\') {
        word.append(letter);
      }
    }
    if (word != null) {
      words.add(word.toString());
    }
    return words;
  }
}
