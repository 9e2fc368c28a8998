package io.dure.cli.allocation;

import io.dure.cli.command.CliCommand;
import io.dure.cli.command.CommandContext;
import io.dure.surface.message.CommandException;

/**
 * A command that submits a job, or a step: {@code SLURM_EXIT_ERROR} chooses the code of its
 * failures.
 */
public interface SubmitCommand extends CliCommand {
  @Override
  default int run(CommandContext context) {
    try {
      return execute(context);
    } catch (CommandException e) {
      return context.fail(FailureCode.ofError(context.environment(), e));
    }
  }
}
