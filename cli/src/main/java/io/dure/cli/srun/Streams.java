package io.dure.cli.srun;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.TerminalSize;
import io.dure.protocol.StepLaunchOrder;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the streams of a step come from and go to: a file without symbols in its name is opened by
 * {@code srun}, one with them by each task's node.
 *
 * @param input as the user has it, null for standard input
 * @param output likewise
 * @param error likewise
 * @param inputByNodes whether nodes open the file of the input, whatever its name
 * @param terminal of the terminal that the first task gets one of its own for, null for none
 * @param labelled whether lines in files begin with the number of their task
 */
record Streams(
    @Nullable String input,
    @Nullable String output,
    @Nullable String error,
    boolean append,
    boolean unbuffered,
    boolean inputByNodes,
    @Nullable TerminalSize terminal,
    boolean labelled) {
  private static final String NONE = "none";
  private static final String ALL = "all";
  private static final int MOST_DIGITS = 9;

  /**
   * The streams that the settings ask for.
   *
   * @throws CommandException if they exclude each other
   */
  static Streams of(CommandContext context, SrunSettings settings) throws CommandException {
    TerminalSize terminal = null;
    if (settings.has(SrunOption.PTY)) {
      if (settings.has(SrunOption.INPUT)
          || settings.has(SrunOption.OUTPUT)
          || settings.has(SrunOption.ERROR)) {
        throw CommandException.error("--error/--input/--output are incompatible with --pty");
      }
      terminal = context.caller().terminal();
      if (terminal == null) {
        context.report(StderrMessage.error("ioctl(TIOCGWINSZ): Inappropriate ioctl for device"));
        context.report(
            StderrMessage.error("Not using a pseudo-terminal, disregarding --pty option"));
      }
    }
    return new Streams(
        settings.value(SrunOption.INPUT),
        settings.value(SrunOption.OUTPUT),
        settings.value(SrunOption.ERROR),
        settings.valueOr(SrunOption.OPEN_MODE, "t").startsWith("a"),
        settings.has(SrunOption.UNBUFFERED),
        false,
        terminal,
        settings.has(SrunOption.LABEL));
  }

  private static boolean isPattern(@Nullable String name) {
    return name != null && name.indexOf('%') >= 0;
  }

  /** Whether it is the number of a task; what is none is the name of a file. */
  private static boolean isRank(String name, int tasks) {
    return !name.isEmpty()
        && name.length() < MOST_DIGITS
        && name.chars().allMatch(Character::isDigit)
        && Integer.parseInt(name) < tasks;
  }

  /** What nodes do. */
  StepLaunchOrder.Streams remote() {
    return new StepLaunchOrder.Streams(
        remote(input, inputByNodes),
        remote(output, false),
        remote(error, false),
        append,
        unbuffered,
        terminal == null ? 0 : Math.max(1, terminal.rows()),
        terminal == null ? 0 : Math.max(1, terminal.columns()),
        labelled);
  }

  private static String remote(@Nullable String name, boolean byNodes) {
    boolean here = name == null || ALL.equals(name) || !(byNodes || isPattern(name));
    return NONE.equals(name) ? "/dev/null" : here ? "" : String.valueOf(name);
  }

  /**
   * Those of a component of a step that has several. The front end has one input for all of them:
   * where they do not agree on a file, each component's nodes open theirs.
   */
  Streams ofComponent(boolean sharesInput) {
    boolean own = input != null && !sharesInput && !NONE.equals(input) && !ALL.equals(input);
    return new Streams(
        input,
        output,
        error,
        true, // several components write to a file that has the same name for all of them
        unbuffered,
        own,
        null,
        labelled);
  }

  /** What the front end does for a step of one component. */
  void addTo(List<String> entries, Path directory, int tasks) {
    if (terminal != null) {
      entries.add("pty=1");
      entries.add("stdin=0");
      return;
    }
    addInput(entries, directory, tasks);
    addOutputs(entries, directory, 0, tasks);
  }

  /** Where the front end has the input of tasks from. */
  void addInput(List<String> entries, Path directory, int tasks) {
    String from = input == null ? ALL : input;
    if (from.equals(NONE) || isPattern(input)) {
      entries.add("stdin=none");
    } else if (from.equals(ALL) || isRank(from, tasks)) {
      entries.add("stdin=" + from);
    } else {
      entries.add("stdin=all");
      entries.add("stdin_file=" + directory.resolve(from));
    }
  }

  /**
   * Where the front end has output of tasks go.
   *
   * @param first of these tasks
   * @param tasks how many they are
   */
  void addOutputs(List<String> entries, Path directory, int first, int tasks) {
    addOutput(entries, "stdout", output, directory, first, tasks);
    addOutput(entries, "stderr", error, directory, first, tasks);
  }

  private void addOutput(
      List<String> entries,
      String key,
      @Nullable String name,
      Path directory,
      int first,
      int tasks) {
    if (name == null || name.equals(NONE) || name.equals(ALL) || isPattern(name)) {
      return;
    }
    entries.add(
        isRank(name, tasks)
            ? key + "=" + (first + Integer.parseInt(name))
            : key + "_file=" + (append ? "a:" : "t:") + directory.resolve(name));
  }
}
