package io.dure.core.scheduler.plan;

import io.dure.core.scheduler.Holding;
import io.dure.core.scheduler.Verdict;
import java.util.List;

/**
 * A start that was promised to a job of a shape.
 *
 * @param start seconds since 1970
 * @param seconds how long it was planned for
 * @param holdings what it gets, until it ends
 * @param verdict what is said of it
 * @param footing by which it is known to hold still
 */
record Booking(
    Shape shape,
    long start,
    long seconds,
    List<Holding> holdings,
    Verdict verdict,
    Footing footing) {
  /**
   * What the nodes of a promise were like when it was last seen to hold: as long as none of them
   * has changed since, neither by jobs nor by promises made before this one, it holds. One thread.
   */
  static final class Footing {
    /** Sets this promise apart from all others of a planner. */
    final long promise;

    private final long[] nodes;

    Footing(long promise, int nodes) {
      this.promise = promise;
      this.nodes = new long[nodes];
    }

    /** Whether a node is as it was. */
    boolean isFirm(Outlook outlook, List<Holding> holdings, int which) {
      long is = outlook.footing(holdings.get(which).node());
      return is != Outlook.UNKNOWN && is == nodes[which];
    }

    /** It was seen to hold on a node. */
    void sawHold(Outlook outlook, List<Holding> holdings, int which) {
      nodes[which] = outlook.footing(holdings.get(which).node());
    }
  }
}
