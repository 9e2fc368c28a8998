package io.dure.testkit.cluster;

import io.dure.cluster.ClusterState;
import io.dure.cluster.NodeRecord;
import io.dure.model.job.Job;
import java.util.Collection;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What is true of the nodes of every cluster, whatever happened. */
final class NodeInvariants {
  private NodeInvariants() {}

  /**
   * Checks what really happens on nodes: no run begins twice, and of each job at most one run lives
   * on, on nodes that the controller can reach.
   */
  static void check(ClusterState state, Collection<FakeNode> nodes) {
    TreeMap<FakeNode.Key, String> begun = new TreeMap<>();
    TreeMap<Integer, String> alive = new TreeMap<>();
    for (FakeNode node : nodes) {
      for (FakeNode.Key key : node.begun()) {
        String before = begun.put(key, node.name());
        require(before == null, () -> "began twice, also on " + before, key);
      }
      NodeRecord record = state.node(node.name());
      if (record == null || !node.connected() || !record.responding()) {
        continue;
      }
      node.runs()
          .forEach((key, run) -> {
            if (run.lives() && !run.dying) {
              String before = alive.put(key.jobId(), node.name());
              require(before == null, () -> "runs twice, also on " + before, key);
              Job job = state.active().get(key.jobId());
              require(
                  job != null && job.run() == key.run() && job.state().runningOrSuspended() != null,
                  () -> "runs on " + node.name() + " and should not: " + job,
                  key);
            }
          });
    }
  }

  private static void require(boolean truth, Supplier<String> what, Object about) {
    if (!truth) {
      throw new AssertionError(what.get() + ": " + about);
    }
  }
}
