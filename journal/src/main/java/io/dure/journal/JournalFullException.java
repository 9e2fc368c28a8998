package io.dure.journal;

/** More waits for the disk than the journal keeps; nothing of the batch was taken. */
public final class JournalFullException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** With how much waits. */
  public JournalFullException(String message) {
    super(message);
  }
}
