package io.dure.host.lua;

/** Why a script did not answer; the text is for the log. */
public final class LuaException extends Exception {
  private static final long serialVersionUID = 1;

  /** A script that did not answer. */
  public LuaException(String text) {
    super(text);
  }
}
