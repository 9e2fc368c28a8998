package io.dure.node;

/** The daemon cannot start; the message says why and what to do about it. */
final class DaemonStartException extends Exception {
  private static final long serialVersionUID = 1L;

  DaemonStartException(String message) {
    super(message);
  }
}
