package io.dure.simulator.twin.command;

/**
 * A command line that cannot be followed; the message says what is wrong and what would be right.
 */
public final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Saying what is wrong. */
  public UsageException(String text) {
    super(text);
  }
}
