package io.dure.accounting;

import io.dure.accounting.migration.NewerSchemaException;

/** The accounting database cannot be used as it is; the message says why. */
public final class UnusableDatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnusableDatabaseException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Whether this release will never be able to use it. */
  public boolean isForGood() {
    return getCause() instanceof NewerSchemaException;
  }
}
