package io.dure.core.scheduler.nodes;

import org.jspecify.annotations.Nullable;

/** Chooses the nodes of one job. */
public final class Chooser {
  private Chooser() {}

  /**
   * The nodes that a job gets of an offer; null if they will not do.
   *
   * @param forest how switches or blocks join the nodes, null where that is not known
   */
  public static @Nullable Choice choose(Offer offer, Wish wish, @Nullable Forest forest) {
    Choice choice = new Choice(offer, wish);
    if (wish.contiguous()) {
      return Neighbours.take(choice) ? choice : null;
    }
    if (!choice.takeRequired()) {
      return null;
    }
    if (forest != null) {
      return Grove.take(choice, forest);
    }
    Choice first = choice.copy();
    return Runs.take(first) ? first : choice.takeRoomiest() ? choice : null;
  }
}
