package io.dure.core.scheduler;

import io.dure.core.model.NodeShare;
import io.dure.core.scheduler.cores.Together;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the nodes of one job: all required ones, low weight before high, neighbours that are just
 * enough before others, and where one node will do the one that it fits most tightly.
 */
public final class Placer {
  private final Need need;
  private final Ledger ledger;
  private final Candidates candidates;

  /** Which candidates were taken, by their place among them. */
  private final boolean[] taken;

  /** Those that are taken or have no room. */
  private final boolean[] closed;

  private int nodes;
  private long tasksLeft;
  private long gpusLeft;

  /** Candidates of one weight, one node beside the other. */
  private static final class Run {
    private final int first;
    private final int end;
    private long spare;
    private long room;
    private long gpus;
    private boolean used;

    Run(int first, int end, Candidates candidates) {
      this.first = first;
      this.end = end;
      for (int i = first; i < end; i++) {
        spare += candidates.spare(i);
        room += candidates.room(i);
        gpus += candidates.gpus(i);
      }
    }
  }

  private Placer(Need need, Ledger ledger, Candidates candidates) {
    this.need = need;
    this.ledger = ledger;
    this.candidates = candidates;
    taken = new boolean[candidates.count()];
    closed = new boolean[taken.length];
    for (int i = 0; i < taken.length; i++) {
      closed[i] = candidates.room(i) == 0;
    }
    tasksLeft = need.request().tasks();
    gpusLeft = need.gpusPerJob();
  }

  /**
   * What the job would get of the nodes as they are, in node order; null if it does not fit.
   *
   * @param among indices of nodes of the right kind, rising
   */
  static @Nullable List<NodeShare> place(Need need, Ledger ledger, int[] among) {
    Candidates candidates = new Candidates();
    for (int index : among) {
      Slot slot = ledger.slot(index);
      int room = slot.room(need);
      if (room > 0) {
        long gpus = need.gpusPerJob() > 0 ? slot.gpuRoom(need, 1) : 0;
        candidates.add(index, room, slot.freeCpus(), gpus);
      }
    }
    return place(need, ledger, candidates, ledger::slot);
  }

  /**
   * What the job would get of the candidates, in node order; null if they will not do.
   *
   * @param at a node as it is when the job would start there
   */
  public static @Nullable List<NodeShare> place(
      Need need, Ledger ledger, Candidates candidates, IntFunction<Slot> at) {
    Together together = need.together();
    if (together != null && together.layers() == together.jobs()) {
      return layered(need, together, ledger, candidates, at);
    }
    return chosen(need, ledger, candidates, at);
  }

  /** Cores that nobody has before those that others have, on all nodes alike. */
  private static @Nullable List<NodeShare> layered(
      Need need, Together together, Ledger ledger, Candidates candidates, IntFunction<Slot> at) {
    for (int layers = 0; layers < together.jobs(); layers++) {
      Need fewer = need.within(together.within(layers));
      Candidates some = new Candidates();
      for (int i = 0; i < candidates.count(); i++) {
        Slot slot = at.apply(candidates.index(i));
        int room = Math.min(candidates.room(i), slot.room(fewer));
        if (room > 0) {
          some.add(candidates.index(i), room, slot.freeCpus(), candidates.gpus(i));
        }
      }
      List<NodeShare> shares = chosen(fewer, ledger, some, at);
      if (shares != null) {
        return shares;
      }
    }
    return chosen(need, ledger, candidates, at);
  }

  private static @Nullable List<NodeShare> chosen(
      Need need, Ledger ledger, Candidates candidates, IntFunction<Slot> at) {
    if (candidates.roomy() < need.minNodes()
        || candidates.tasks() < need.request().tasks()
        || need.minNodes() > need.maxNodes()) {
      return null;
    }
    Placer placer = new Placer(need, ledger, candidates);
    boolean found = need.request().contiguous() ? placer.takeNeighbours() : placer.choose();
    return found ? placer.shares(at) : null;
  }

  private boolean choose() {
    if (!takeRequired()) {
      return false;
    }
    boolean[] required = taken.clone();
    int requiredNodes = nodes;
    long left = tasksLeft;
    long gpus = gpusLeft;
    if (takeRuns()) {
      return true;
    }
    System.arraycopy(required, 0, taken, 0, taken.length);
    for (int i = 0; i < closed.length; i++) {
      closed[i] = taken[i] || candidates.room(i) == 0;
    }
    nodes = requiredNodes;
    tasksLeft = left;
    gpusLeft = gpus;
    return takeRoomiest();
  }

  private boolean done() {
    return nodes >= need.minNodes() && tasksLeft <= 0 && gpusLeft <= 0;
  }

  private void take(int which) {
    taken[which] = true;
    closed[which] = true;
    nodes++;
    tasksLeft -= candidates.room(which);
    gpusLeft -= candidates.gpus(which);
  }

  private boolean takeRequired() {
    for (String name : need.request().requiredNodes()) {
      int which = candidates.find(ledger.index(name));
      if (which < 0 || closed[which] && !taken[which]) {
        return false;
      }
      if (!taken[which]) {
        take(which);
      }
    }
    return nodes <= need.maxNodes();
  }

  private boolean takeRuns() {
    if (done()) {
      return true;
    }
    if (nodesWanted() <= 1 && (need.maxNodes() - nodes == 1 || need.request().tasks() == 1)) {
      return takeTightest(0, candidates.count());
    }
    List<Run> runs = runs();
    while (!done()) {
      Run run = best(runs);
      if (run == null) {
        return false;
      }
      run.used = true;
      if (nodesWanted() <= 1 && takeTightest(run.first, run.end)) {
        return true;
      }
      for (int i = run.first; i < run.end && !done(); i++) {
        if (nodes == need.maxNodes()) {
          return false;
        }
        take(i);
      }
    }
    return true;
  }

  private int nodesWanted() {
    return need.minNodes() - nodes;
  }

  /** Takes the one node that has room for all that is left, if there is one. */
  private boolean takeTightest(int first, int end) {
    int best = -1;
    for (int i = first; i < end; i++) {
      if (!closed[i] && isEnough(i) && (best < 0 || tighter(i, best))) {
        best = i;
      }
    }
    if (best < 0 || nodes == need.maxNodes()) {
      return false;
    }
    take(best);
    return true;
  }

  /** Whether the node alone has room for all that is left. */
  private boolean isEnough(int which) {
    return candidates.room(which) >= tasksLeft && candidates.gpus(which) >= gpusLeft;
  }

  private boolean tighter(int a, int b) {
    long weightA = weight(a);
    long weightB = weight(b);
    return weightA == weightB ? candidates.spare(a) < candidates.spare(b) : weightA < weightB;
  }

  private long weight(int which) {
    return ledger.slot(candidates.index(which)).config().weight();
  }

  private List<Run> runs() {
    List<Run> runs = new ArrayList<>();
    int first = 0;
    for (int i = 0; i <= candidates.count(); i++) {
      boolean ends =
          i == candidates.count()
              || closed[i]
              || i > first
                  && (candidates.index(i) != candidates.index(i - 1) + 1
                      || weight(i) != weight(first));
      if (ends) {
        if (i > first) {
          runs.add(new Run(first, i, candidates));
        }
        first = i < candidates.count() && closed[i] ? i + 1 : i;
      }
    }
    return runs;
  }

  private @Nullable Run best(List<Run> runs) {
    Run best = null;
    for (Run run : runs) {
      if (!run.used && (best == null || better(run, best))) {
        best = run;
      }
    }
    return best;
  }

  private boolean better(Run a, Run b) {
    long weightA = weight(a.first);
    long weightB = weight(b.first);
    if (weightA != weightB) {
      return weightA < weightB;
    }
    boolean aWill = suffices(a);
    boolean bWill = suffices(b);
    if (aWill != bWill) {
      return aWill;
    }
    return aWill ? a.spare < b.spare : a.spare > b.spare;
  }

  private boolean suffices(Run run) {
    return run.end - run.first >= nodesWanted() && run.room >= tasksLeft && run.gpus >= gpusLeft;
  }

  /** Where the number of nodes is bounded: those with most room, low weight first among equals. */
  private boolean takeRoomiest() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < taken.length; i++) {
      if (!closed[i]) {
        order.add(i);
      }
    }
    order.sort((a, b) -> {
      int byRoom = Long.compare(candidates.gpus(b), candidates.gpus(a));
      if (byRoom == 0) {
        byRoom = Integer.compare(candidates.room(b), candidates.room(a));
      }
      return byRoom == 0 ? Long.compare(weight(a), weight(b)) : byRoom;
    });
    for (int which : order) {
      if (done()) {
        return true;
      }
      int left = need.maxNodes() - nodes;
      if (left == 0) {
        return false;
      }
      if (left == 1 && nodesWanted() <= 1 && isEnough(which)) {
        return takeTightest(0, taken.length);
      }
      take(which);
    }
    return done();
  }

  /** The shortest run of neighbouring nodes that will do. */
  private boolean takeNeighbours() {
    int bestFirst = 0;
    int bestEnd = Integer.MAX_VALUE;
    for (int first = 0; first < candidates.count(); first++) {
      int end = first;
      long room = 0;
      long gpus = 0;
      while (end < candidates.count()
          && candidates.index(end) == candidates.index(first) + end - first
          && !closed[end]
          && end - first < Math.min(need.maxNodes(), bestEnd - bestFirst - 1)
          && !enough(first, end, room, gpus)) {
        gpus += candidates.gpus(end);
        room += candidates.room(end++);
      }
      if (enough(first, end, room, gpus)) {
        bestFirst = first;
        bestEnd = end;
      }
    }
    if (bestEnd == Integer.MAX_VALUE) {
      return false;
    }
    for (int i = bestFirst; i < bestEnd; i++) {
      take(i);
    }
    return true;
  }

  private boolean enough(int first, int end, long room, long gpus) {
    if (end - first < need.minNodes()
        || room < need.request().tasks()
        || gpus < need.gpusPerJob()) {
      return false;
    }
    for (String name : need.request().requiredNodes()) {
      int which = candidates.find(ledger.index(name));
      if (which < first || which >= end) {
        return false;
      }
    }
    return true;
  }

  /** Tasks in blocks, but at least one for each node as long as there are any. */
  private List<NodeShare> shares(IntFunction<Slot> at) {
    List<NodeShare> shares = new ArrayList<>(nodes);
    int left = need.request().tasks();
    long gpusWanted = need.gpusPerJob();
    int others = nodes;
    for (int i = 0; i < taken.length; i++) {
      if (taken[i]) {
        others--;
        int tasks = left == 0 ? 0 : Math.max(1, Math.min(candidates.room(i), left - others));
        left -= tasks;
        long gpus = Math.max(0, Math.min(candidates.gpus(i), gpusWanted - others));
        gpusWanted -= gpus;
        shares.add(at.apply(candidates.index(i)).share(need, tasks, gpus, candidates.room(i)));
      }
    }
    return List.copyOf(shares);
  }
}
