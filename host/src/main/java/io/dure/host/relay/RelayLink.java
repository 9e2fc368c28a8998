package io.dure.host.relay;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A connection over which messages of relays travel both ways. */
interface RelayLink extends Closeable {
  /** Sends one; blocks while the other side does not take it. */
  void send(byte[] message) throws IOException;

  /** Waits for the next one; null if the other side has ended the connection. */
  byte @Nullable [] receive() throws IOException;
}
