package io.dure.node;

import io.dure.model.config.NodeConfig;
import io.dure.node.cgroup.CoreToCpuMap;
import java.util.List;

/** Which of a machine's cores are a node's, where several nodes share the machine. Pure. */
final class NodeCoreAssignment {
  private NodeCoreAssignment() {}

  /**
   * The node's part of the machine: nodes of the same host name have their cores one after the
   * other, in the order of the configuration. Where together they claim more than there is, none of
   * them is bound to cores.
   */
  static CoreToCpuMap of(CoreToCpuMap machine, List<NodeConfig> nodes, NodeConfig node) {
    int before = 0;
    int all = 0;
    boolean passed = false;
    for (NodeConfig other : nodes) {
      if (other.hostName().equals(node.hostName())) {
        passed |= other.name().equals(node.name());
        before += passed ? 0 : cores(other);
        all += cores(other);
      }
    }
    int size = machine.machine().size();
    return all > size ? machine.forNode(0, size + 1) : machine.forNode(before, cores(node));
  }

  private static int cores(NodeConfig node) {
    return Math.max(1, node.shape().sockets() * node.shape().coresPerSocket());
  }
}
