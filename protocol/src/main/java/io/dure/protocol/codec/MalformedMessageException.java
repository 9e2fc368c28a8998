package io.dure.protocol.codec;

/** Bytes that are no encoding of the expected type; the message says what was expected. */
public final class MalformedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With what is wrong. */
  public MalformedMessageException(String message) {
    super(message);
  }
}
