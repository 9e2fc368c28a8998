package io.dure.placement.nodeselection;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes nodes where no topology is known: low weight before high, and of one weight those side by
 * side that are just enough before others.
 */
final class BestFitSelector {
  private final NodeSelection choice;
  private final WeightedCandidates offer;
  private final List<Run> runs = new ArrayList<>();

  /** Nodes of one weight side by side. */
  private final class Run {
    private final int first;
    private final int end;

    /** The first of those that are required, the end where none is. */
    private int required;

    private int nodes;
    private long spare;
    private long room;
    private long gpus;
    private boolean used;

    Run(int first, int end) {
      this.first = first;
      this.end = end;
      required = end;
      for (int i = first; i < end; i++) {
        if (choice.isTaken(i)) {
          required = Math.min(required, i);
        } else {
          nodes++;
          spare += offer.spare(i);
          room += offer.room(i);
          gpus += offer.gpus(i);
        }
      }
    }

    private boolean isRequired() {
      return required < end;
    }

    private boolean suffices() {
      return nodes >= choice.nodesWanted()
          && room >= choice.tasksLeft()
          && gpus >= choice.gpusLeft();
    }
  }

  private BestFitSelector(NodeSelection choice) {
    this.choice = choice;
    offer = choice.offer;
    int first = 0;
    for (int i = 0; i <= offer.count(); i++) {
      boolean open = i < offer.count() && (!choice.isClosed(i) || choice.isTaken(i));
      boolean goesOn =
          open
              && (i == first
                  || offer.index(i) == offer.index(i - 1) + 1
                      && offer.weight(i) == offer.weight(first));
      if (!goesOn) {
        if (i > first) {
          runs.add(new Run(first, i));
        }
        first = open ? i : i + 1;
      }
    }
  }

  /** Takes nodes beside those that are taken already; false if they do not suffice. */
  static boolean take(NodeSelection choice) {
    return new BestFitSelector(choice).takeAll();
  }

  private boolean takeAll() {
    while (!choice.full()) {
      Run run = best();
      if (run == null) {
        break;
      }
      run.used = true;
      takeOf(run);
    }
    return choice.done();
  }

  private void takeOf(Run run) {
    boolean oneMore = choice.wish.want() - choice.nodes() <= 1;
    if (oneMore && !run.isRequired() && choice.takeTightest(run.first, run.end)) {
      return;
    }
    takeInOrder(run);
  }

  /** From what is required upwards, then downwards. */
  private void takeInOrder(Run run) {
    int from = run.isRequired() ? run.required : run.first;
    for (int i = from; i < run.end; i++) {
      if (!takeMore(i)) {
        return;
      }
    }
    for (int i = from - 1; i >= run.first; i--) {
      if (!takeMore(i)) {
        return;
      }
    }
  }

  private boolean takeMore(int which) {
    return !choice.full() && (choice.isClosed(which) || choice.take(which));
  }

  private @Nullable Run best() {
    Run best = null;
    for (Run run : runs) {
      if (!run.used && run.nodes > 0 && (best == null || better(run, best))) {
        best = run;
      }
    }
    return best;
  }

  private boolean better(Run a, Run b) {
    if (a.isRequired() != b.isRequired()) {
      return a.isRequired();
    }
    long weightA = offer.weight(a.first);
    long weightB = offer.weight(b.first);
    if (weightA != weightB) {
      return weightA < weightB;
    }
    boolean aWill = a.suffices();
    boolean bWill = b.suffices();
    if (aWill != bWill) {
      return aWill;
    }
    return aWill ? a.spare < b.spare : a.spare > b.spare;
  }
}
