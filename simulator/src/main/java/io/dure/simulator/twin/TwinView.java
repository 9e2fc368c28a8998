package io.dure.simulator.twin;

import io.dure.core.collection.IntMap;
import io.dure.core.config.PartitionConfig;
import io.dure.core.config.Settings;
import io.dure.core.config.topology.Topology;
import io.dure.core.model.Job;
import io.dure.core.scheduler.SchedulerView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the scheduler sees of the twin at one moment; never changes. */
record TwinView(Machine machine, IntMap<TwinNode> nodes, IntMap<Job> pending, IntMap<Job> active)
    implements SchedulerView {

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
  public IntMap<Integer> arrayTasks(int arrayJobId) {
    return IntMap.empty();
  }
}
