package io.dure.host.user;

/** The user database could not be asked, for example because its directory service is down. */
public final class UserDatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An account of what was asked and what the C library answered. */
  public UserDatabaseException(String message) {
    super(message);
  }
}
