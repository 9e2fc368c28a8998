package io.dure.surface.body;

/** A text is no document at all. */
public final class MalformedDocumentException extends Exception {
  private static final long serialVersionUID = 1;

  MalformedDocumentException(String message) {
    super(message);
  }
}
