package io.dure.host.trust.jwt;

import java.io.IOException;

/** A file of keys cannot be used; the message names the parameter and says what to do about it. */
public final class JwtKeyException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong with the file. */
  public JwtKeyException(String message) {
    super(message);
  }
}
