package io.dure.twin.nodefailure;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** When nodes fail and come back. For one thread. */
public final class NodeFailureSchedule {
  /**
   * What happens to a node.
   *
   * @param second when
   * @param node its position
   * @param fails whether it fails; else it comes back
   */
  public record Change(long second, int node, boolean fails) implements Comparable<Change> {
    @Override
    public int compareTo(Change other) {
      int byTime = Long.compare(second, other.second);
      return byTime == 0 ? Integer.compare(node, other.node) : byTime;
    }
  }

  private final PriorityQueue<Change> changes = new PriorityQueue<>();
  private final SplittableRandom[] random;
  private final NodeFailureModel model;
  private int down;

  /**
   * The first failures.
   *
   * @param second when the machine begins, all of it up
   */
  public NodeFailureSchedule(NodeFailureModel model, int nodes, long second) {
    this.model = model;
    SplittableRandom seeds = new SplittableRandom(model.seed());
    random = new SplittableRandom[nodes];
    for (int node = 0; node < nodes; node++) {
      random[node] = seeds.split();
      changes.add(new Change(second + pause(node, model.meanUptime().toSeconds()), node, true));
    }
  }

  private long pause(int node, long meanSeconds) {
    return Math.max(1, Math.round(-Math.log(1 - random[node].nextDouble()) * meanSeconds));
  }

  /** When the next change comes. */
  public long next() {
    Change change = changes.peek();
    return change == null ? Long.MAX_VALUE : change.second();
  }

  /** Whether a node is down. */
  public boolean anyDown() {
    return down > 0;
  }

  /** The next change if it has come by then, else null. */
  public @Nullable Change poll(long second) {
    Change change = changes.peek();
    if (change == null || change.second() > second) {
      return null;
    }
    changes.poll();
    down += change.fails() ? 1 : -1;
    long mean = (change.fails() ? model.meanRepair() : model.meanUptime()).toSeconds();
    changes.add(
        new Change(change.second() + pause(change.node(), mean), change.node(), !change.fails()));
    return change;
  }
}
