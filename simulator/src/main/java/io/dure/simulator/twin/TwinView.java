package io.dure.simulator.twin;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.usage.UsageBook;
import io.dure.core.collection.IntMap;
import io.dure.core.config.NodeConfig;
import io.dure.core.config.PartitionConfig;
import io.dure.core.config.Settings;
import io.dure.core.config.topology.Topology;
import io.dure.core.history.RunBook;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.NodeShare;
import io.dure.core.reservation.LicenseUse;
import io.dure.core.reservation.Reservation;
import io.dure.core.rollout.ImaginedNode;
import io.dure.core.scheduler.SchedulerView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the twin goes on from: the machine with nobody on it, or with what another view says.
 *
 * @param nodes by position
 * @param usage what jobs have used
 * @param runs how long jobs ran before
 * @param before what runs and waits there, null for nothing
 */
record TwinView(
    Machine machine,
    IntMap<ImaginedNode> nodes,
    AccountingTree accounts,
    List<Reservation> reservations,
    UsageBook usage,
    RunBook runs,
    @Nullable SchedulerView before)
    implements SchedulerView {

  /** That of a machine whose jobs are charged to accounts, or to nobody. */
  static TwinView of(Machine machine, @Nullable AccountingTree accounts) {
    IntMap<ImaginedNode> nodes = IntMap.empty();
    int position = 0;
    for (NodeConfig node : machine.nodes()) {
      ImaginedNode idle = ImaginedNode.idle(node);
      nodes = nodes.with(position++, machine.takesJobs(node.name()) ? idle : idle.taking(false));
    }
    return new TwinView(
        machine,
        nodes,
        accounts == null ? AccountingTree.initial() : accounts,
        machine.reservations(),
        UsageBook.EMPTY,
        RunBook.EMPTY,
        null);
  }

  /** The same after that was used and ran. */
  TwinView after(UsageBook used, RunBook ran) {
    return new TwinView(machine, nodes, accounts, reservations, used, ran, before);
  }

  /** The same machine with what is on another one, of which it has all nodes. */
  TwinView with(SchedulerView other) {
    IntMap<ImaginedNode> held = nodes;
    for (Job job : other.active().values()) {
      for (NodeShare share : held(job)) {
        int position = machine.position(share.node());
        ImaginedNode node = held.require(position);
        IntMap<NodeShare> shares = node.shares().with(job.id(), share);
        held = held.with(position, new ImaginedNode(node.config(), node.available(), shares));
      }
    }
    return new TwinView(machine, held, accounts, reservations, other.usage(), other.runs(), other);
  }

  private static List<NodeShare> held(Job job) {
    if (job.state() instanceof JobState.Suspended suspended) {
      return suspended.kept();
    }
    JobState.Running run = job.state().underWay();
    return run == null ? List.of() : run.allocation().shares();
  }

  /** The same with other reservations. */
  TwinView reserving(List<Reservation> others) {
    return new TwinView(machine, nodes, accounts, others, usage, runs, before);
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
    return before == null ? IntMap.empty() : before.pending();
  }

  @Override
  public IntMap<Job> active() {
    return before == null ? IntMap.empty() : before.active();
  }

  @Override
  public LicenseUse licenseUse() {
    return before == null ? LicenseUse.NONE : before.licenseUse();
  }

  @Override
  public IntMap<Integer> arrayTasks(int arrayJobId) {
    return before == null ? IntMap.empty() : before.arrayTasks(arrayJobId);
  }
}
