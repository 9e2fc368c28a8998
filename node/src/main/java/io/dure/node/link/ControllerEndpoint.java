package io.dure.node.link;

import io.dure.protocol.ControllerToNodeMessage;
import io.dure.protocol.NodeToControllerMessage;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where the controller is reached; {@link TlsControllerEndpoint} in life, a queue in tests. */
@FunctionalInterface
public interface ControllerEndpoint {
  /**
   * Opens a connection and introduces this node. Blocks until it stands.
   *
   * @throws IOException if no controller can be reached
   */
  Link open() throws IOException;

  /** One connection. One thread sends, another receives; any thread may close. */
  interface Link extends Closeable {
    /**
     * Sends a message.
     *
     * @throws IOException if the connection is broken
     */
    void send(NodeToControllerMessage message) throws IOException;

    /**
     * Waits for a message; null at the end of the connection.
     *
     * @throws IOException if the connection is broken, silent for too long, or what came is no
     *     message
     */
    @Nullable ControllerToNodeMessage receive() throws IOException;
  }
}
