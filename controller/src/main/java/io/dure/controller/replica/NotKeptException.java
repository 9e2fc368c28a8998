package io.dure.controller.replica;

import org.jspecify.annotations.Nullable;

/** A batch was not kept by this member's doing; another may lead. */
public final class NotKeptException extends RuntimeException {
  private final @Nullable String leader;

  NotKeptException(String message, @Nullable String leader) {
    super(message);
    this.leader = leader;
  }

  /** The host that leads as far as known, null if none is known. */
  public @Nullable String leader() {
    return leader;
  }
}
