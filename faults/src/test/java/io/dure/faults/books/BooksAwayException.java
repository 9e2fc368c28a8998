package io.dure.faults.books;

/** The database does not answer, or its answer is lost. */
final class BooksAwayException extends RuntimeException {
  private static final long serialVersionUID = 1;

  BooksAwayException(String message) {
    super(message);
  }
}
