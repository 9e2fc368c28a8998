package io.dure.host.lua;

/** Why a script did not answer; the text is for the log. */
public final class LuaException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean busy;

  /** A script that did not answer. */
  public LuaException(String text) {
    this(text, false);
  }

  /**
   * A script that did not answer.
   *
   * @param busy whether it was not called at all since others take all its processes
   */
  LuaException(String text, boolean busy) {
    super(text);
    this.busy = busy;
  }

  /** Whether the same call may have an answer a little later. */
  public boolean isBusy() {
    return busy;
  }
}
