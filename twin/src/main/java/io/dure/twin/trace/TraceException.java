package io.dure.twin.trace;

/** A trace that cannot be read: where, what is wrong, and what would be right. */
public final class TraceException extends Exception {
  private static final long serialVersionUID = 1L;

  /** With a message that says where, what and what would be right. */
  public TraceException(String whole) {
    super(whole);
  }

  /** About a whole file. */
  public TraceException(String file, String problem, String remedy) {
    super(file + ": " + problem + "; " + remedy);
  }

  /** About a place in a file, lines and columns from 1. */
  public TraceException(String file, int line, int column, String problem, String remedy) {
    super(file + ":" + line + ": column " + column + ": " + problem + "; " + remedy);
  }

  /** What is wrong, in one line. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
