package io.dure.cli.allocation;

import io.dure.surface.message.CommandException;
import io.dure.surface.message.StderrMessage;

/** With which code {@code srun} and {@code salloc} end for a mistake in their options. */
public final class OptionMistake {
  private static final int BAD_OPTION = 255;
  private static final String OF_BATCH = "Batch job submission failed: ";

  private OptionMistake() {}

  /** A number that is none ends a call with 1, almost any other mistake in an option with 255. */
  public static CommandException of(CommandException e) {
    if (e.messages().isEmpty() || e.exitCode() != 1) {
      return e;
    }
    StderrMessage first = e.messages().getFirst();
    if (first.text().startsWith(OF_BATCH)) {
      return CommandException.error(
          AllocationRequest.REFUSED + first.text().substring(OF_BATCH.length()));
    }
    boolean usual =
        first.kind() == StderrMessage.Kind.FATAL
            || first.text().startsWith("Invalid numeric value")
            || first.text().startsWith("unrecognized --hint")
            || first.text().startsWith(AllocationRequest.REFUSED);
    return usual ? e : e.withExitCode(BAD_OPTION);
  }
}
