package io.dure.cli.command;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A command that ran within another, with what it wrote.
 *
 * @param code its exit code
 * @param printed what it wrote to standard output
 * @param complaints what it wrote to standard error
 */
public record CapturedCall(int code, String printed, String complaints) {
  /** Runs a command under a name with these arguments, for the caller of another. */
  public static CapturedCall of(
      CliCommand command, CommandContext caller, String name, List<String> arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, false, StandardCharsets.UTF_8);
    PrintStream complaints = new PrintStream(err, false, StandardCharsets.UTF_8);
    int code =
        command.run(
            caller
                .with()
                .program(name)
                .arguments(arguments)
                .out(printed)
                .err(complaints)
                .terminal(false)
                .build());
    printed.flush();
    complaints.flush();
    return new CapturedCall(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
