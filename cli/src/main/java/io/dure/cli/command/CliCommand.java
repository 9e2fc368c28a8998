package io.dure.cli.command;

/**
 * A command that a user types, as a function from its context to an exit code. It touches nothing
 * outside the context, so it runs in a process of its own as well as inside a resident one.
 */
public interface CliCommand {

  /**
   * Runs the command on the calling thread.
   *
   * @return the exit code, 0 to 255
   */
  int run(CommandContext context);
}
