package io.dure.node;

/** The command line cannot be understood; the message says why. */
final class SlurmdUsageException extends Exception {
  private static final long serialVersionUID = 1L;

  SlurmdUsageException(String message) {
    super(message);
  }
}
