package io.dure.model;

/** A hostlist expression that cannot be read; {@link #offset()} says where in it the fault lies. */
public final class HostListException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  private final int offset;

  HostListException(String message, int offset) {
    super(message);
    this.offset = offset;
  }

  /** The position in the expression, from 0, at which reading stopped. */
  public int offset() {
    return offset;
  }
}
