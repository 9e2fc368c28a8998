package io.dure.placement;

import java.util.Arrays;

/** A log of the nodes on which there may be more room than there was. One thread. */
public final class FreedNodeLog {
  private static final int MOST = 1 << 14;
  private int[] nodes = new int[64];
  private long first;
  private int count;
  private long availability;

  void gained(int node) {
    if (count == MOST) {
      // A reader that has not come so far looks at all nodes again.
      first += count;
      count = 0;
    }
    if (count == nodes.length) {
      nodes = Arrays.copyOf(nodes, 2 * count);
    }
    nodes[count++] = node;
  }

  void availability(int node) {
    availability++;
    gained(node);
  }

  /** How often a node came or went. */
  public long availability() {
    return availability;
  }

  /** Where the log ends now: read from here on later. */
  public long end() {
    return first + count;
  }

  /** Whether the log still has all from there on. */
  public boolean has(long from) {
    return from >= first;
  }

  /** The node noted at that place of the log. */
  public int at(long place) {
    return nodes[(int) (place - first)];
  }
}
