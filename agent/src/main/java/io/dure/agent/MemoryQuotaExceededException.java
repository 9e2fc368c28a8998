package io.dure.agent;

/** Ends a command in the agent for want of memory: its client runs it by itself. */
final class MemoryQuotaExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  MemoryQuotaExceededException(String what) {
    super("no room for " + what, null, false, false);
  }
}
