package io.dure.controller.node;

import io.dure.protocol.ControllerToNodeMessage;
import java.time.Duration;

/**
 * The sending side of a connection to a node daemon. Any thread may call; only {@code awaitSent}
 * blocks.
 */
public interface NodeChannel {
  /** Sends a message after all earlier ones; false if too many wait already. */
  boolean send(ControllerToNodeMessage message);

  /** Messages that wait to be sent. */
  default int waiting() {
    return 0;
  }

  /** Sends a last message, and nothing behind it. */
  default void last(ControllerToNodeMessage message) {
    send(message);
  }

  /** Waits until what waits is sent, or cannot be, for so long at most. */
  default void awaitSent(Duration patience) throws InterruptedException {}

  /** Ends the connection. */
  void close();
}
