package io.dure.scheduler.timeline;

import io.dure.model.job.NodeShare;
import io.dure.placement.NodeAllocation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The earliest time at which several requests fit one beside the other. */
public final class CommonStartSearch {
  /** After so many each of them keeps the time that it was found. */
  private static final int MOST_ROUNDS = 100;

  private CommonStartSearch() {}

  /** One of the requests. */
  public interface Part {
    /** What is asked for. */
    RequestClass shape();

    /** How long it runs. */
    long seconds();

    /** What it holds of a node if it starts then. */
    NodeAllocation holding(NodeShare share, long start);
  }

  /**
   * Promises each of them its place from that time on.
   *
   * @param last the last start that is of interest
   * @return what each gets, null if they do not fit together until then: nothing is promised then
   */
  public static @Nullable List<EarliestStartSearch.EarliestFit> promise(
      PlanningTimeline outlook, List<? extends Part> parts, long last) {
    long first = outlook.now();
    for (int round = 1; ; round++) {
      List<EarliestStartSearch.EarliestFit> found = new ArrayList<>(parts.size());
      List<Integer> nodes = new ArrayList<>();
      for (Part part : parts) {
        EarliestStartSearch.EarliestFit one =
            EarliestStartSearch.find(outlook, part.shape(), part.seconds(), first, last);
        if (one == null) {
          takeBack(outlook, nodes);
          return null;
        }
        found.add(one);
        for (NodeShare share : one.shares()) {
          NodeAllocation holding = part.holding(share, one.start());
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
  public static long latest(List<EarliestStartSearch.EarliestFit> found) {
    return found.stream().mapToLong(EarliestStartSearch.EarliestFit::start).max().orElseThrow();
  }

  private static void takeBack(PlanningTimeline outlook, List<Integer> nodes) {
    nodes.reversed().forEach(outlook::takeBackPromise);
  }
}
