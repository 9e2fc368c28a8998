package io.dure.scheduler.timeline;

import io.dure.model.command.PendingVerdict;
import io.dure.placement.NodeAllocation;
import java.util.BitSet;
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
public record ShadowReservation(
    RequestClass shape,
    long start,
    long seconds,
    List<NodeAllocation> holdings,
    PendingVerdict verdict,
    ReservationBasis footing) {
  /** Keeps what it holds from jobs that the plan looks at later. */
  public void keep(PlanningTimeline outlook) {
    outlook.promise(holdings, start, footing.promise);
  }

  /** Gives back what it keeps. */
  public void withdraw(PlanningTimeline outlook) {
    outlook.withdraw(holdings, start, footing.promise);
  }

  /** Whether its nodes have room for it at its time, with what was promised before it. */
  public boolean holds(PlanningTimeline outlook) {
    for (int i = 0; i < holdings.size(); i++) {
      NodeAllocation holding = holdings.get(i);
      int node = holding.node();
      if (!outlook.isOpen(node)) {
        return false;
      }
      if (!footing.isFirm(outlook, holdings, i)) {
        BitSet closed = shape.closed(node, start, holding.end(), outlook);
        NodeTimeline whole = outlook.wholeProfile(node);
        NodeTimeline profile = closed == null ? whole : whole.without(closed);
        if (profile.room(shape.need(), start, holding.end()) < holding.share().tasks()) {
          return false;
        }
        footing.sawHold(outlook, holdings, i);
      }
    }
    return true;
  }

  /**
   * What the nodes of a promise were like when it was last seen to hold: as long as none of them
   * has changed since, neither by jobs nor by promises made before this one, it holds. One thread.
   */
  public static final class ReservationBasis {
    /** Sets this promise apart from all others of a planner. */
    final long promise;

    private final long[] nodes;

    public ReservationBasis(long promise, int nodes) {
      this.promise = promise;
      this.nodes = new long[nodes];
    }

    /** Whether a node is as it was. */
    boolean isFirm(PlanningTimeline outlook, List<NodeAllocation> holdings, int which) {
      long is = outlook.footing(holdings.get(which).node());
      return is != PlanningTimeline.UNKNOWN && is == nodes[which];
    }

    /** It was seen to hold on a node. */
    void sawHold(PlanningTimeline outlook, List<NodeAllocation> holdings, int which) {
      nodes[which] = outlook.footing(holdings.get(which).node());
    }
  }
}
