package io.dure.accounting.retention;

import java.io.IOException;

/** A file is no archive, or is damaged; the message says where. */
public final class BadArchiveException extends IOException {
  private static final long serialVersionUID = 1;

  BadArchiveException(String message) {
    super(message);
  }
}
