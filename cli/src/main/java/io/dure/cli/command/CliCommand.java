package io.dure.cli.command;

import io.dure.surface.message.CommandException;

/**
 * A command that a user types, as a function from its context to an exit code. It touches nothing
 * outside the context, so it runs in a process of its own as well as inside a resident one.
 */
public interface CliCommand {

  /**
   * Does what the command is for, on the calling thread.
   *
   * @return the exit code, 0 to 255
   */
  int execute(CommandContext context) throws CommandException;

  /** Runs the command; a failure is told on standard error. */
  default int run(CommandContext context) {
    try {
      return execute(context);
    } catch (CommandException e) {
      return context.fail(e);
    }
  }
}
