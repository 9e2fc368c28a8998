package io.dure.cli.command;

import io.dure.surface.json.DocumentFormat;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;
import io.dure.surface.option.OptionKey;
import io.dure.surface.option.OptionParser;
import io.dure.surface.option.OptionSpec;
import io.dure.surface.sbatch.ScriptPlace;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All that a command may know of the world. Used by the one thread that runs the command.
 *
 * @param program the name under which the command was called, as it stands in its messages
 * @param arguments the arguments after the program name
 * @param environment the caller's environment variables
 * @param directory the caller's working directory, absolute
 * @param in standard input
 * @param out standard output; buffered, flushed by its maker when the command has ended
 * @param err standard error
 * @param terminal whether standard output is a terminal
 * @param caller the calling process
 * @param clock the time and the time zone
 * @param controller the way to the cluster's controller
 */
@RecordBuilder
public record CommandContext(
    String program,
    List<String> arguments,
    Map<String, String> environment,
    Path directory,
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean terminal,
    CallerProcess caller,
    CommandClock clock,
    ControllerConnector controller)
    implements CommandContextBuilder.With {

  /** Standard output as the place of a document. */
  public JsonTarget document(DocumentFormat format) {
    List<String> words = new ArrayList<>(arguments.size() + 1);
    words.add(program);
    words.addAll(arguments);
    return JsonTarget.ofCommand(out, environment, words, format);
  }

  /** The command line as typed, without its quotes. */
  public String submitLine() {
    return String.join(" ", Stream.concat(Stream.of(program), arguments.stream()).toList());
  }

  /** Where the script of a submission is looked for. */
  public ScriptPlace scripts() {
    return new ScriptPlace(directory, environment, in, caller);
  }

  /**
   * The options among the arguments, which operands may stand between.
   *
   * @param command the class beside which help.txt and usage.txt lie
   */
  public <K extends Enum<K> & OptionKey> CallOptions<K> options(Class<?> command, K[] options) {
    return options(command, "", options);
  }

  /** The same, with what the names of the command's texts begin with. */
  public <K extends Enum<K> & OptionKey> CallOptions<K> options(
      Class<?> command, String texts, K[] options) {
    return new CallOptions<>(
        out,
        command,
        texts,
        new OptionParser<>(
            program, OptionSpec.table(options), OptionParser.Operands.MIXED, arguments));
  }

  /**
   * Prints a listing once, or again and again with pauses of so many seconds until the output is
   * closed.
   */
  public int list(@Nullable Integer everySeconds, Listing listing) throws CommandException {
    if (everySeconds == null) {
      listing.print();
      return 0;
    }
    int code = 0;
    while (!out.checkError()) {
      try {
        listing.print();
      } catch (CommandException e) {
        code = fail(e);
      }
      out.print('\n');
      out.flush();
      clock.pause(Duration.ofSeconds(everySeconds));
    }
    return code;
  }

  /** What is printed again and again. */
  @FunctionalInterface
  public interface Listing {
    void print() throws CommandException;
  }

  /** Writes one message to standard error in the form of its kind. */
  public void report(StderrMessage message) {
    err.print(message.format(program));
  }

  /** Writes the messages of a failure to standard error and returns its exit code. */
  public int fail(CommandException failure) {
    for (StderrMessage message : failure.messages()) {
      report(message);
    }
    return failure.exitCode();
  }
}
