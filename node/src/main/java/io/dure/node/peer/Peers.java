package io.dure.node.peer;

/**
 * How a daemon stands to those of other nodes.
 *
 * @param links reach them
 * @param mostDirect a step of at most so many nodes has each tell the controller of its end: that
 *     is as cheap, and sooner
 */
public record Peers(NodePeerLinks links, int mostDirect) {
  /** Other daemons are not reached. */
  public static final Peers NONE = new Peers(NodePeerLinks.NONE, Integer.MAX_VALUE);

  private static final int MOST_DIRECT = 16;

  /** As usual. */
  public static Peers over(NodePeerLinks links) {
    return new Peers(links, MOST_DIRECT);
  }
}
