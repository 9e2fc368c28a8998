package io.dure.node.job;

/** A job cannot be started on this node; the message says why, for its owner to read. */
public final class JobRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says why. */
  public JobRefusedException(String message) {
    super(message);
  }
}
