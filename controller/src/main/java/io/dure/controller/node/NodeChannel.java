package io.dure.controller.node;

import io.dure.protocol.ControllerToNodeMessage;

/** The sending side of a connection to a node daemon. Any thread may call; nothing blocks. */
public interface NodeChannel {
  /** Sends a message after all earlier ones; false if too many wait already. */
  boolean send(ControllerToNodeMessage message);

  /** Messages that wait to be sent. */
  default int waiting() {
    return 0;
  }

  /** Ends the connection. */
  void close();
}
