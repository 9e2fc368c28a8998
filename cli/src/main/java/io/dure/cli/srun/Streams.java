package io.dure.cli.srun;

import io.dure.cli.command.CommandContext;
import io.dure.cli.command.TerminalSize;
import io.dure.protocol.StepLaunchOrder;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.srun.SrunOption;
import io.dure.surface.srun.SrunSettings;
import java.io.IOException;
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
 * @param byNodes whether nodes open all files
 * @param terminal of the terminal that the first task gets one of its own for, null for none
 * @param labelled whether lines in files begin with the number of their task
 */
record Streams(
    @Nullable String input,
    @Nullable String output,
    @Nullable String error,
    boolean append,
    boolean unbuffered,
    boolean byNodes,
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
        remote(input),
        remote(output),
        remote(error),
        append,
        unbuffered,
        terminal == null ? 0 : Math.max(1, terminal.rows()),
        terminal == null ? 0 : Math.max(1, terminal.columns()),
        labelled);
  }

  private String remote(@Nullable String name) {
    boolean here = name == null || ALL.equals(name) || !(byNodes || isPattern(name));
    return NONE.equals(name) ? "/dev/null" : here ? "" : String.valueOf(name);
  }

  /**
   * The same with all files opened by nodes: several components have files of the same step, and
   * the front end opens those of one call.
   *
   * @throws IOException if a file cannot be made
   */
  Streams ofComponent(CommandContext context) throws IOException {
    return new Streams(
        input == null || isPattern(input) || NONE.equals(input) ? input : literal(input),
        ofNodes(context, output),
        ofNodes(context, error),
        true,
        unbuffered,
        true,
        null,
        labelled);
  }

  private @Nullable String ofNodes(CommandContext context, @Nullable String name)
      throws IOException {
    if (name == null || isPattern(name) || NONE.equals(name) || ALL.equals(name)) {
      return name;
    }
    if (!append) {
      context.caller().write(context.directory().resolve(name)).close();
    }
    return literal(name);
  }

  /** A name as a pattern of itself. */
  private static String literal(String name) {
    return name.replace("%", "%%");
  }

  /** What the front end does. */
  void addTo(List<String> entries, Path directory, int tasks) {
    if (terminal != null) {
      entries.add("pty=1");
      entries.add("stdin=0");
      return;
    }
    String from = input == null ? ALL : input;
    if (from.equals(NONE) || isPattern(input)) {
      entries.add("stdin=none");
    } else if (from.equals(ALL) || isRank(from, tasks)) {
      entries.add("stdin=" + from);
    } else {
      entries.add("stdin=all");
      entries.add("stdin_file=" + directory.resolve(from));
    }
    addOutput(entries, "stdout", output, directory, tasks);
    addOutput(entries, "stderr", error, directory, tasks);
  }

  private void addOutput(
      List<String> entries, String key, @Nullable String name, Path directory, int tasks) {
    if (name == null || name.equals(NONE) || name.equals(ALL) || isPattern(name)) {
      return;
    }
    entries.add(
        isRank(name, tasks)
            ? key + "=" + name
            : key + "_file=" + (append ? "a:" : "t:") + directory.resolve(name));
  }
}
