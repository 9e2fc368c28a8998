package io.dure.twin.nodefailure;

import io.dure.virtual.NodeFailures;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Failures of nodes by a model. For one thread. */
public final class NodeFailureSchedule implements NodeFailures {
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

  @Override
  public long next() {
    Change change = changes.peek();
    return change == null ? Long.MAX_VALUE : change.second();
  }

  @Override
  public boolean anyDown() {
    return down > 0;
  }

  @Override
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
