package io.dure.accounting;

/** The accounting database cannot be used as it is; the message says why. */
public final class UnusableDatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnusableDatabaseException(String message, Throwable cause) {
    super(message, cause);
  }
}
