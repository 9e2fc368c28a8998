package io.dure.node;

/** The command line cannot be understood; the message says why. */
final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;

  UsageException(String message) {
    super(message);
  }
}
