package io.dure.cli.scrontab;

import io.dure.cli.command.CallerProcess;
import io.dure.cli.command.CallerProgram;
import io.dure.cli.command.CommandContext;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A file of the caller for its editor, which nobody else may read. For one call and one thread. */
final class EditedFile implements AutoCloseable {
  /** Makes the file, and fails if something of that name is there. */
  private static final String MAKE = "umask 077; set -C; : > \"$1\"";

  private final CommandContext context;
  private final CallerProcess caller;
  private final Path file;

  /** What is to take its place. */
  private final Path beside;

  private boolean kept;

  private EditedFile(CommandContext context, Path file) {
    this.context = context;
    this.caller = context.caller();
    this.file = file;
    this.beside = file.resolveSibling(file.getFileName() + ".new");
  }

  /** An empty file among the caller's temporary ones. */
  static EditedFile make(CommandContext context) throws CommandException {
    String place = context.environment().getOrDefault("TMPDIR", "/tmp");
    String name = "scrontab-" + context.caller().requestId();
    EditedFile made = new EditedFile(context, context.directory().resolve(place).resolve(name));
    made.make(made.file);
    return made;
  }

  private void make(Path fresh) throws CommandException {
    run("cannot make " + fresh, "sh", "-c", MAKE, "sh", fresh.toString());
  }

  /** Has the caller edit a text. */
  String edited(String text) throws CommandException {
    put(text);
    try {
      // As a shell reads it: an editor may have options.
      run(editor() + " failed", "sh", "-c", editor() + " \"$1\"", "sh", file.toString());
    } catch (CommandException e) {
      kept |= !holds(text);
      throw e;
    }
    kept = true;
    try {
      return read();
    } catch (IOException e) {
      throw CommandException.error("cannot read " + file + ": " + e.getMessage());
    }
  }

  /** All of a text takes the place of what was edited before, which is nowhere else. */
  private void put(String text) throws CommandException {
    make(beside);
    try (OutputStream out = caller.write(beside)) {
      out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw CommandException.error("cannot write " + beside + ": " + e.getMessage());
    }
    run("cannot write " + file, "mv", "-f", beside.toString(), file.toString());
  }

  private String read() throws IOException, CommandException {
    try (InputStream in = caller.read(file)) {
      return CrontabInput.bytes(in);
    }
  }

  /** Whether it has that text and no other. */
  private boolean holds(String text) {
    try {
      return read().equals(text);
    } catch (IOException | CommandException e) {
      return false;
    }
  }

  /** What stands in it is of no use any more. */
  void done() {
    kept = false;
  }

  private String editor() {
    Map<String, String> variables = context.environment();
    String visual = variables.getOrDefault("VISUAL", "");
    String editor = variables.getOrDefault("EDITOR", "");
    return !visual.isEmpty() ? visual : !editor.isEmpty() ? editor : "vi";
  }

  private void run(String failure, String... words) throws CommandException {
    List<String> variables =
        context.environment().entrySet().stream()
            .map(one -> one.getKey() + "=" + one.getValue())
            .toList();
    CallerProgram program =
        new CallerProgram(List.of(words), variables, context.directory().toString(), this::passOn);
    try {
      if (!(caller.runProgram(program) instanceof CallerProgram.Outcome.Ended ended)
          || ended.status() != 0) {
        throw CommandException.error(failure);
      }
    } catch (IOException e) {
      throw CommandException.error(failure + ": " + e.getMessage());
    }
  }

  private boolean passOn(int signal) {
    try {
      if (signal > 0) {
        caller.signalProgram(signal);
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Removes it, unless what was edited is nowhere else. */
  @Override
  public void close() throws CommandException {
    if (kept) {
      context.report(StderrMessage.info("the edited crontab is kept in " + file));
      run("cannot remove " + beside, "rm", "-f", beside.toString());
      return;
    }
    run("cannot remove " + file, "rm", "-f", beside.toString(), file.toString());
  }
}
