package io.dure.core.scheduler.plan;

import io.dure.core.model.NodeShare;
import io.dure.core.scheduler.Holding;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The earliest time at which several requests fit one beside the other. */
final class CommonStart {
  /** After so many each of them keeps the time that it was found. */
  private static final int MOST_ROUNDS = 100;

  private CommonStart() {}

  /** One of the requests. */
  interface Part {
    /** What is asked for. */
    Shape shape();

    /** How long it runs. */
    long seconds();

    /** What it holds of a node if it starts then. */
    Holding holding(NodeShare share, long start);
  }

  /**
   * Promises each of them its place from that time on.
   *
   * @param last the last start that is of interest
   * @return what each gets, null if they do not fit together until then: nothing is promised then
   */
  static @Nullable List<EarliestStart.Found> promise(
      Outlook outlook, List<? extends Part> parts, long last) {
    long first = outlook.now();
    for (int round = 1; ; round++) {
      List<EarliestStart.Found> found = new ArrayList<>(parts.size());
      List<Integer> nodes = new ArrayList<>();
      for (Part part : parts) {
        EarliestStart.Found one =
            EarliestStart.find(outlook, part.shape(), part.seconds(), first, last);
        if (one == null) {
          takeBack(outlook, nodes);
          return null;
        }
        found.add(one);
        for (NodeShare share : one.shares()) {
          Holding holding = part.holding(share, one.start());
          outlook.promise(holding, one.start());
          nodes.add(holding.node());
        }
      }
      long latest = latest(found);
      if (round == MOST_ROUNDS || found.stream().allMatch(one -> one.start() == latest)) {
        return found;
      }
      takeBack(outlook, nodes);
      first = latest;
    }
  }

  /** When all of them have started. */
  static long latest(List<EarliestStart.Found> found) {
    return found.stream().mapToLong(EarliestStart.Found::start).max().orElseThrow();
  }

  private static void takeBack(Outlook outlook, List<Integer> nodes) {
    nodes.reversed().forEach(outlook::takeBackPromise);
  }
}
