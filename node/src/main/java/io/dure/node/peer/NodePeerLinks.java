package io.dure.node.peer;

import io.dure.protocol.step.NodePeerMessage;

/** Reaches the daemons of other nodes. */
public interface NodePeerLinks {
  /** Reaches none. */
  NodePeerLinks NONE = (node, message) -> false;

  /**
   * Sends a message to a node's daemon; returns at once. A message that does not arrive later on is
   * told to the listener.
   *
   * @return false if that node cannot be reached
   */
  boolean send(String node, NodePeerMessage message);

  /** A daemon that has connected to this one. */
  interface Caller {
    /** Sends it a message, unless it is gone; returns at once. */
    void send(NodePeerMessage message);
  }

  /** Hears what daemons say. Any thread calls; returns at once. */
  interface Listener {
    /** One has said something. */
    void said(Caller from, NodePeerMessage message);

    /** What was sent to a node and not answered may not have arrived. */
    void lost(String node);
  }
}
