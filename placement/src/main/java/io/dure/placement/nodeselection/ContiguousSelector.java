package io.dure.placement.nodeselection;

/** Takes nodes that are neighbours in the order of the configuration, whatever their weights. */
final class ContiguousSelector {
  private final NodeSelection choice;
  private final WeightedCandidates offer;
  private final NodeSelectionRequest wish;

  /** Sums over the nodes before each. */
  private final long[] room;

  private final long[] gpus;
  private final long[] spare;

  /** The places of the first and the last that are required; the last before the first for none. */
  private int firstRequired = Integer.MAX_VALUE;

  private int lastRequired = -1;

  private ContiguousSelector(NodeSelection choice) {
    this.choice = choice;
    offer = choice.offer;
    wish = choice.wish;
    room = new long[offer.count() + 1];
    gpus = new long[room.length];
    spare = new long[room.length];
    for (int i = 0; i < offer.count(); i++) {
      int tasks = wish.each() > 0 ? wish.each() : offer.room(i);
      room[i + 1] = room[i] + tasks;
      gpus[i + 1] = gpus[i] + offer.gpus(i);
      spare[i + 1] = spare[i] + offer.spare(i);
    }
  }

  /** Takes nodes; false if no neighbours will do. */
  static boolean take(NodeSelection choice) {
    ContiguousSelector neighbours = new ContiguousSelector(choice);
    for (int node : choice.wish.required()) {
      int which = choice.offer.find(node);
      if (which < 0 || choice.isClosed(which)) {
        return false;
      }
      neighbours.firstRequired = Math.min(neighbours.firstRequired, which);
      neighbours.lastRequired = Math.max(neighbours.lastRequired, which);
    }
    return neighbours.takeTightestRun() || neighbours.takeFewest();
  }

  /** In the run of neighbours that is just enough: from what is required on, or its beginning. */
  private boolean takeTightestRun() {
    int bestFirst = -1;
    int bestEnd = -1;
    int first = 0;
    while (first < offer.count()) {
      int end = runEnd(first);
      boolean tighter =
          bestFirst < 0 || spare[end] - spare[first] < spare[bestEnd] - spare[bestFirst];
      if (enough(first, end) && tighter) {
        bestFirst = first;
        bestEnd = end;
      }
      first = Math.max(end, first + 1);
    }
    if (bestFirst < 0) {
      return false;
    }
    boolean none = lastRequired < 0;
    int from = none ? bestFirst : firstRequired;
    int to = none ? from : lastRequired + 1;
    while (to < bestEnd && wantsMore(from, to)) {
      to++;
    }
    while (from > bestFirst && wantsMore(from, to)) {
      from--;
    }
    return enough(from, to) && to - from <= wish.max() && take(from, to);
  }

  private boolean wantsMore(int from, int to) {
    return to - from < wish.max() && (to - from < wish.want() || !enough(from, to));
  }

  /** The end of the neighbours that begin there. */
  private int runEnd(int first) {
    int end = first;
    while (end < offer.count()
        && !choice.isClosed(end)
        && offer.index(end) == offer.index(first) + end - first) {
      end++;
    }
    return end;
  }

  /**
   * Where the number of nodes is bounded: the fewest neighbours that will do, the first of these.
   */
  private boolean takeFewest() {
    int bestFirst = 0;
    int bestEnd = Integer.MAX_VALUE;
    int runEnd = 0;
    for (int first = 0; first < offer.count(); first++) {
      runEnd = first < runEnd ? runEnd : runEnd(first);
      int end = first;
      while (end < runEnd
          && end - first < Math.min(wish.max(), bestEnd - bestFirst - 1)
          && !enough(first, end)) {
        end++;
      }
      if (end > first && end - first < bestEnd - bestFirst && enough(first, end)) {
        bestFirst = first;
        bestEnd = end;
      }
    }
    return bestEnd < Integer.MAX_VALUE && take(bestFirst, bestEnd);
  }

  private boolean enough(int first, int end) {
    return end - first >= wish.min()
        && room[end] - room[first] >= wish.tasks()
        && gpus[end] - gpus[first] >= wish.gpus()
        && (lastRequired < 0 || firstRequired >= first && lastRequired < end);
  }

  private boolean take(int first, int end) {
    if (!choice.takeRequired()) {
      return false;
    }
    for (int i = first; i < end; i++) {
      if (!choice.isClosed(i)) {
        choice.take(i);
      }
    }
    return choice.done();
  }
}
