package io.dure.cli.command;

import java.util.List;

/**
 * What the calling process needs to let X clients on nodes reach its X server.
 *
 * @param entries what it is told, {@code key=value} each; docs/agent-protocol.md lists them. Where
 *     they name no node it only looks whether it could
 * @param request what it sends to each node
 */
@SuppressWarnings("ArrayRecordComponent") // bytes are handed on, never compared
public record DisplayForward(List<String> entries, byte[] request) {

  /** How it came out. */
  public enum Outcome {
    /** The nodes have displays, until the process ends. */
    FINE,
    /** The machine has no program {@code xauth}, or it failed. */
    NO_XAUTH,
    /** That does not know what the X server wants to hear. */
    NO_COOKIE,
    /** A node has none. */
    NO_DISPLAY,
    /** There is no socket of the X server on this machine. */
    NO_SERVER
  }

  /**
   * The answer.
   *
   * @param text which node or socket, and why, as far as that is known
   */
  public record Answer(Outcome outcome, String text) {}
}
