package io.dure.protocol;

import java.time.Instant;

/** What the node daemon answers a program of its own machine. */
public sealed interface LocalReply {

  /**
   * A token for the user and group that the kernel names as the caller's.
   *
   * @param token for {@link Request.Greeting}
   * @param expiry when it ends to be valid
   */
  record Token(String token, Instant expiry) implements LocalReply {}

  /** There is none, and why. */
  record Refused(String text) implements LocalReply {}
}
