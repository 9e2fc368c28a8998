package io.dure.agent;

/**
 * Ends a command whose caller is gone: nothing that it would wait for or say is wanted. Thrown on
 * the command's thread once that has been interrupted.
 */
final class CallerDisconnectedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CallerDisconnectedException() {
    super("the caller is gone", null, false, false);
  }

  /** Throws if the calling thread's command has lost its caller. */
  static void check() {
    if (Thread.currentThread().isInterrupted()) {
      throw new CallerDisconnectedException();
    }
  }
}
