package io.dure.host.net;

import java.io.IOException;

/** The bytes on a connection are no frames: too long, negative, or cut off in the middle. */
public final class FrameException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong with the frame. */
  public FrameException(String message) {
    super(message);
  }
}
