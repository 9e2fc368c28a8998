package io.dure.model.accounting;

/** Changes after which the accounts would contradict themselves; the message says how. */
public final class InvalidAccountingException extends Exception {
  private static final long serialVersionUID = 1L;

  InvalidAccountingException(String message) {
    super(message, null, false, false);
  }

  /** What is wrong. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
