package io.dure.simulator.twin.command;

/**
 * A command line that cannot be followed; the message says what is wrong and what would be right.
 */
final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  UsageException(String text) {
    super(text);
  }
}
