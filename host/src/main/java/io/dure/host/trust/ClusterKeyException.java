package io.dure.host.trust;

import java.io.IOException;

/** The cluster key file cannot be used; the message says what to do about it. */
public final class ClusterKeyException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong with the file. */
  public ClusterKeyException(String message) {
    super(message);
  }
}
