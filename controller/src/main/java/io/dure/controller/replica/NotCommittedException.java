package io.dure.controller.replica;

import org.jspecify.annotations.Nullable;

/** It is not known to be kept, for this controller leads no more; another may. */
public final class NotCommittedException extends RuntimeException {
  private final @Nullable String leader;

  /**
   * Not kept, as far as known here.
   *
   * @param leader the host that leads as far as known, null if none is known
   */
  public NotCommittedException(String message, @Nullable String leader) {
    super(message);
    this.leader = leader;
  }

  /** The host that leads as far as known, null if none is known. */
  public @Nullable String leader() {
    return leader;
  }
}
