package io.dure.placement.nodeselection;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Nodes of an offer that are taken one after the other: each is given as many of the tasks as it
 * has room for, but for one task for each node that must follow.
 */
public final class NodeSelection {
  final WeightedCandidates offer;
  final NodeSelectionRequest wish;

  private final boolean[] taken;

  /** Those that are taken or may not be. */
  private final boolean[] closed;

  /** Tasks that those that are taken were given. */
  private final int[] given;

  private int nodes;
  private long tasksLeft;
  private long gpusLeft;

  NodeSelection(WeightedCandidates offer, NodeSelectionRequest wish) {
    this.offer = offer;
    this.wish = wish;
    taken = new boolean[offer.count()];
    closed = new boolean[taken.length];
    given = new int[taken.length];
    for (int i = 0; i < closed.length; i++) {
      closed[i] = offer.room(i) < Math.max(1, wish.each());
    }
    tasksLeft = wish.tasks();
    gpusLeft = wish.gpus();
  }

  private NodeSelection(NodeSelection other, NodeSelectionRequest wish) {
    offer = other.offer;
    this.wish = wish;
    taken = other.taken.clone();
    closed = other.closed.clone();
    given = other.given.clone();
    nodes = other.nodes;
    tasksLeft = other.tasksLeft;
    gpusLeft = other.gpusLeft;
  }

  NodeSelection copy() {
    return new NodeSelection(this, wish);
  }

  /** The same so far, for another wish. */
  NodeSelection copy(NodeSelectionRequest other) {
    return new NodeSelection(this, other);
  }

  /** Whether all that must be had is had. */
  boolean done() {
    return nodes >= wish.min() && tasksLeft <= 0 && gpusLeft <= 0;
  }

  /** Whether nothing more is wanted. */
  boolean full() {
    return done() && nodes >= wish.want();
  }

  int nodes() {
    return nodes;
  }

  /** Nodes that must still be taken. */
  int nodesWanted() {
    return wish.min() - nodes;
  }

  long tasksLeft() {
    return tasksLeft;
  }

  long gpusLeft() {
    return gpusLeft;
  }

  boolean isTaken(int which) {
    return taken[which];
  }

  boolean isClosed(int which) {
    return closed[which];
  }

  void close(int which) {
    closed[which] = true;
  }

  /** Takes a node that is not closed; false if there may be no more. */
  boolean take(int which) {
    if (nodes == wish.max()) {
      return false;
    }
    taken[which] = true;
    closed[which] = true;
    nodes++;
    long most = tasksLeft - Math.max(0, wish.min() - nodes);
    int tasks = (int) Math.max(1, Math.min(most, offer.room(which)));
    given[which] = wish.each() > 0 ? wish.each() : tasks;
    tasksLeft -= given[which];
    gpusLeft -= offer.gpus(which);
    return true;
  }

  /** Takes those that must be among them; false if one of them has no room. */
  boolean takeRequired() {
    for (int node : wish.required()) {
      int which = offer.find(node);
      if (which < 0 || !taken[which] && (closed[which] || !take(which))) {
        return false;
      }
    }
    return true;
  }

  /** Whether the node alone has room for all that is left. */
  boolean isEnough(int which) {
    return offer.room(which) >= tasksLeft && offer.gpus(which) >= gpusLeft;
  }

  /** Takes, of some that are set apart, the fullest that has room for all that is left. */
  boolean takeTightest(int first, int end) {
    int best = -1;
    for (int i = first; i < end; i++) {
      if (!closed[i] && isEnough(i) && (best < 0 || tighter(i, best))) {
        best = i;
      }
    }
    return best >= 0 && take(best);
  }

  private boolean tighter(int a, int b) {
    return offer.weight(a) == offer.weight(b)
        ? offer.spare(a) < offer.spare(b)
        : offer.weight(a) < offer.weight(b);
  }

  /** Where the number of nodes is bounded: those with most room, low weight first among equals. */
  boolean takeRoomiest() {
    // Mostly few of many are taken, so that sorting all of them would be most of the work.
    PriorityQueue<Integer> order = new PriorityQueue<>(Math.max(1, taken.length), this::byRoom);
    for (int i = 0; i < taken.length; i++) {
      if (!closed[i]) {
        order.add(i);
      }
    }
    for (Integer which = order.poll(); which != null; which = order.poll()) {
      if (full()) {
        return true;
      }
      boolean last = wish.max() - nodes == 1 && nodesWanted() <= 1 && isEnough(which);
      if (last && takeTightest(0, taken.length)) {
        return true;
      }
      if (!take(which)) {
        break;
      }
    }
    return done();
  }

  private int byRoom(int a, int b) {
    if (offer.gpus(a) != offer.gpus(b)) {
      return Long.compare(offer.gpus(b), offer.gpus(a));
    }
    if (offer.room(a) != offer.room(b)) {
      return Integer.compare(offer.room(b), offer.room(a));
    }
    return offer.weight(a) != offer.weight(b)
        ? Long.compare(offer.weight(a), offer.weight(b))
        : Integer.compare(a, b);
  }

  /** The places of the nodes that were taken, rising. */
  public List<Integer> places() {
    List<Integer> places = new ArrayList<>(nodes);
    for (int i = 0; i < taken.length; i++) {
      if (taken[i]) {
        places.add(i);
      }
    }
    return places;
  }

  /** The index of the node at a place. */
  public int index(int place) {
    return offer.index(place);
  }

  /** The tasks that the node at a place has room for. */
  public int room(int place) {
    return offer.room(place);
  }

  /** The GPUs that the node at a place can add. */
  public long gpus(int place) {
    return offer.gpus(place);
  }

  /**
   * The tasks of each node that was taken, in the order of {@link #places}. What was given too much
   * is taken from those that have most, the last first.
   */
  public int[] tasks() {
    List<Integer> places = places();
    int[] tasks = new int[places.size()];
    long sum = 0;
    int most = 0;
    for (int i = 0; i < tasks.length; i++) {
      tasks[i] = given[places.get(i)];
      sum += tasks[i];
      most = Math.max(most, tasks[i]);
    }
    if (wish.each() > 0 || sum <= wish.tasks()) {
      return tasks;
    }
    int low = 0;
    while (low < most) {
      int middle = low + (most - low + 1) / 2;
      if (cut(tasks, middle) <= wish.tasks()) {
        low = middle;
      } else {
        most = middle - 1;
      }
    }
    long more = wish.tasks() - cut(tasks, low);
    for (int i = 0; i < tasks.length; i++) {
      boolean one = more > 0 && tasks[i] > low;
      more -= one ? 1 : 0;
      tasks[i] = Math.min(tasks[i], one ? low + 1 : low);
    }
    return tasks;
  }

  private static long cut(int[] tasks, int most) {
    long sum = 0;
    for (int one : tasks) {
      sum += Math.min(one, most);
    }
    return sum;
  }
}
