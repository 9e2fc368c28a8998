package io.dure.cli.allocation;

import io.dure.cli.command.CommandContext;
import io.dure.surface.message.CommandException;

/** Options of {@code srun} and {@code salloc} that Slurm has for root alone, and Dure has not. */
public final class RootOption {
  private RootOption() {}

  /** Why the caller cannot have it. */
  public static CommandException refused(CommandContext context, String option) {
    return context.caller().uid() == 0
        ? CommandException.notSupported(option)
        : CommandException.error(option + " only permitted by root user");
  }
}
