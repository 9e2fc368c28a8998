package io.dure.protocol;

import java.time.Instant;

/** What the node daemon answers a program of its own machine. */
public sealed interface LocalReply {

  /**
   * A token for the user and group that the kernel names as the caller's.
   *
   * @param token for {@link Request.Greeting}
   * @param expiry when it ends to be valid
   * @param authority SHA-256 of the certificate authority that the controller must show,
   *     hexadecimal
   */
  record Token(String token, Instant expiry, String authority) implements LocalReply {
    static final String TAG = "Token";
  }

  /** There is none, and why. */
  record Refused(String text) implements LocalReply {
    static final String TAG = "Refused";
  }
}
