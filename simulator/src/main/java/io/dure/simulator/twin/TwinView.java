package io.dure.simulator.twin;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.usage.UsageBook;
import io.dure.core.collection.IntMap;
import io.dure.core.config.PartitionConfig;
import io.dure.core.config.Settings;
import io.dure.core.config.topology.Topology;
import io.dure.core.history.RunBook;
import io.dure.core.model.Job;
import io.dure.core.reservation.LicenseUse;
import io.dure.core.scheduler.SchedulerView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler sees of the twin at one moment; never changes.
 *
 * @param licenseUse what running jobs hold
 * @param runs how long jobs ran before, and how much waited
 * @param arrays the jobs of arrays that may not all run at a time, by the first job and the task
 */
record TwinView(
    Machine machine,
    IntMap<TwinNode> nodes,
    IntMap<Job> pending,
    IntMap<Job> active,
    AccountingTree accounts,
    UsageBook usage,
    IntMap<IntMap<Integer>> arrays,
    LicenseUse licenseUse,
    RunBook runs)
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
    IntMap<Integer> tasks = arrays.get(arrayJobId);
    return tasks == null ? IntMap.empty() : tasks;
  }
}
