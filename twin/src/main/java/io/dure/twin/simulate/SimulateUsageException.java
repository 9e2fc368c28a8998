package io.dure.twin.simulate;

/**
 * A command line that cannot be followed; the message says what is wrong and what would be right.
 */
public final class SimulateUsageException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Saying what is wrong. */
  public SimulateUsageException(String text) {
    super(text);
  }
}
