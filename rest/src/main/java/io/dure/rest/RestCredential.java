package io.dure.rest;

import org.jspecify.annotations.Nullable;

/** What an HTTP request shows of who sent it. */
public sealed interface RestCredential {
  /**
   * The kernel's word for the process at the other end of a unix socket.
   *
   * @param uid user number, an unsigned 32-bit value in an int
   * @param gid group number, likewise
   */
  record Peer(int uid, int gid) implements RestCredential {}

  /**
   * A token.
   *
   * @param token as {@code X-SLURM-USER-TOKEN} or {@code Authorization: Bearer} has it
   * @param user that {@code X-SLURM-USER-NAME} names, null where it is not there
   */
  record Token(String token, @Nullable String user) implements RestCredential {}
}
