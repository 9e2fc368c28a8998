package io.dure.cli.srun;

import io.dure.protocol.StepLaunchOrder;
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
 */
record Streams(
    @Nullable String input,
    @Nullable String output,
    @Nullable String error,
    boolean append,
    boolean unbuffered) {
  private static final String NONE = "none";
  private static final String ALL = "all";
  private static final int MOST_DIGITS = 9;

  static Streams of(SrunSettings settings) {
    return new Streams(
        settings.value(SrunOption.INPUT),
        settings.value(SrunOption.OUTPUT),
        settings.value(SrunOption.ERROR),
        settings.valueOr(SrunOption.OPEN_MODE, "t").startsWith("a"),
        settings.has(SrunOption.UNBUFFERED));
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
        NONE.equals(input) ? "/dev/null" : isPattern(input) ? String.valueOf(input) : "",
        remote(output),
        remote(error),
        append,
        unbuffered,
        0,
        0);
  }

  private static String remote(@Nullable String name) {
    return NONE.equals(name) ? "/dev/null" : isPattern(name) ? String.valueOf(name) : "";
  }

  /** What the front end does. */
  void addTo(List<String> entries, Path directory, int tasks) {
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
