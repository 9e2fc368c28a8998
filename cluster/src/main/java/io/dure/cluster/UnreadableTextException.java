package io.dure.cluster;

/** A text that is kept outside the memory cannot be read now. */
public final class UnreadableTextException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String reason;

  /**
   * Of a text that could not be read.
   *
   * @param reason what could not be read, where, and what to do
   */
  public UnreadableTextException(String reason, Throwable cause) {
    super(reason, cause);
    this.reason = reason;
  }

  /** What could not be read, where, and what to do. */
  public String reason() {
    return reason;
  }
}
