package io.dure.cli.srun;

import io.dure.cli.command.CommandContext;
import io.dure.model.step.TaskProgram;
import io.dure.surface.message.CommandException;
import io.dure.surface.srun.MultiProgFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a step runs: the same program in all tasks, or what a file says of each.
 *
 * @param words the program or the file, and its arguments
 * @param file the text of the file, null where there is none
 */
record StepProgram(List<String> words, @Nullable String file) {
  private static final int MOST_BYTES = 1 << 24;

  /**
   * The program of a call.
   *
   * @param multi whether its first word names a file that says what each task runs
   */
  static StepProgram of(CommandContext context, List<String> words, boolean multi)
      throws CommandException {
    if (!multi) {
      return new StepProgram(words, null);
    }
    String name = words.getFirst();
    try (InputStream in = context.caller().read(context.directory().resolve(name))) {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw CommandException.error(
            "multi_prog config file " + name + " has more than " + MOST_BYTES + " bytes");
      }
      return new StepProgram(words, new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw CommandException.error("Could not open multi_prog config file " + name);
    }
  }

  /** The last part of its name, after which jobs and steps are called. */
  String baseName() {
    return words.getFirst().substring(words.getFirst().lastIndexOf('/') + 1);
  }

  /**
   * What each of so many tasks runs.
   *
   * @throws CommandException if the file is wrong
   */
  List<TaskProgram> of(int tasks) throws CommandException {
    return file == null
        ? List.of(TaskProgram.ofAll(words))
        : new MultiProgFile(words.getFirst(), tasks, words.subList(1, words.size())).read(file);
  }
}
