package io.dure.host.process;

import java.io.IOException;

/**
 * A program has not ended in its time; it is killed, which one that a sick driver holds survives.
 */
public final class ProgramHangsException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient ProcessHandle process;

  ProgramHangsException(String message, ProcessHandle process) {
    super(message);
    this.process = process;
  }

  /** The program, which may have ended by now. */
  public ProcessHandle process() {
    return process;
  }
}
