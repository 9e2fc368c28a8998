package io.dure.node;

/** The daemon cannot start; the message says why and what to do about it. */
final class StartException extends Exception {
  private static final long serialVersionUID = 1L;

  StartException(String message) {
    super(message);
  }
}
