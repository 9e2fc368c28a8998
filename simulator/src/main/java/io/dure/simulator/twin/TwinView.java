package io.dure.simulator.twin;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.collection.IntMap;
import io.dure.core.config.NodeConfig;
import io.dure.core.config.PartitionConfig;
import io.dure.core.config.Settings;
import io.dure.core.config.topology.Topology;
import io.dure.core.model.Job;
import io.dure.core.rollout.ImaginedNode;
import io.dure.core.scheduler.SchedulerView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The machine with nobody on it: what the twin begins with.
 *
 * @param nodes by position
 */
record TwinView(Machine machine, IntMap<ImaginedNode> nodes, AccountingTree accounts)
    implements SchedulerView {

  /** That of a machine whose jobs are charged to accounts, or to nobody. */
  static TwinView of(Machine machine, @Nullable AccountingTree accounts) {
    IntMap<ImaginedNode> nodes = IntMap.empty();
    int position = 0;
    for (NodeConfig node : machine.nodes()) {
      nodes = nodes.with(position++, ImaginedNode.idle(node));
    }
    return new TwinView(machine, nodes, accounts == null ? AccountingTree.initial() : accounts);
  }

  @Override
  public Settings settings() {
    return machine.settings();
  }

  @Override
  public List<PartitionConfig> partitions() {
    return machine.partitions();
  }

  @Override
  public @Nullable Topology topology() {
    return machine.topology();
  }

  @Override
  public int nodePosition(String name) {
    return machine.position(name);
  }

  @Override
  public IntMap<Job> pending() {
    return IntMap.empty();
  }

  @Override
  public IntMap<Job> active() {
    return IntMap.empty();
  }

  @Override
  public IntMap<Integer> arrayTasks(int arrayJobId) {
    return IntMap.empty();
  }
}
