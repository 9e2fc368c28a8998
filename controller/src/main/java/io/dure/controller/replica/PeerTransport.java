package io.dure.controller.replica;

/**
 * Carries messages between the controllers of a group. Messages may be lost, doubled, delayed and
 * come out of order; they are never changed, and come from controllers of the cluster alone.
 */
public interface PeerTransport {
  /** Sends to a host, or drops what cannot be sent soon. Any thread; never waits. */
  void send(String host, byte[] message);
}
