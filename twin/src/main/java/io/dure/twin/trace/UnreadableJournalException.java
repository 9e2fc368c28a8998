package io.dure.twin.trace;

/**
 * A journal that cannot be gone through: of a newer release, damaged, or without its beginning. It
 * is thrown through those who hear of one record after the other.
 */
final class UnreadableJournalException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With the place, what is wrong there, and what would be right. */
  UnreadableJournalException(String text) {
    super(text);
  }

  /** What is wrong, in one line. */
  String text() {
    return String.valueOf(getMessage());
  }
}
