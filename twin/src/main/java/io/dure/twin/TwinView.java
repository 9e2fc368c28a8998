package io.dure.twin;

import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.usage.UsageLedger;
import io.dure.model.collection.IntMap;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.topology.NamedTopology;
import io.dure.model.config.topology.Topology;
import io.dure.model.history.RunHistory;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.reservation.LicenseUse;
import io.dure.model.reservation.Reservation;
import io.dure.rules.SchedulerView;
import io.dure.virtual.VirtualNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the twin starts from: the machine empty, or with what another view says.
 *
 * @param nodes by position
 * @param usage what jobs have used
 * @param runs how long jobs ran before
 * @param before what runs and waits there, null for nothing
 */
record TwinView(
    ReplayMachine machine,
    IntMap<VirtualNode> nodes,
    AccountingTree accounts,
    List<Reservation> reservations,
    UsageLedger usage,
    RunHistory runs,
    @Nullable SchedulerView before)
    implements SchedulerView {

  /** That of a machine whose jobs are charged to accounts, or not at all. */
  static TwinView of(ReplayMachine machine, @Nullable AccountingTree accounts) {
    IntMap<VirtualNode> nodes = IntMap.empty();
    int position = 0;
    for (NodeConfig node : machine.nodes()) {
      VirtualNode idle = VirtualNode.idle(node);
      nodes = nodes.with(position++, machine.takesJobs(node.name()) ? idle : idle.taking(false));
    }
    return new TwinView(
        machine,
        nodes,
        accounts == null ? AccountingTree.initial() : accounts,
        machine.reservations(),
        UsageLedger.EMPTY,
        RunHistory.EMPTY,
        null);
  }

  /** The same after that was used and ran. */
  TwinView after(UsageLedger used, RunHistory ran) {
    return new TwinView(machine, nodes, accounts, reservations, used, ran, before);
  }

  /** The same machine with what is on another one, of which it has all nodes. */
  TwinView with(SchedulerView other) {
    IntMap<VirtualNode> held = nodes;
    for (Job job : other.active().values()) {
      for (NodeShare share : held(job)) {
        int position = machine.position(share.node());
        VirtualNode node = held.require(position);
        IntMap<NodeShare> shares = node.shares().with(job.id(), share);
        held =
            held.with(position, new VirtualNode(node.config(), node.life(), shares, node.exists()));
      }
    }
    return new TwinView(machine, held, accounts, reservations, other.usage(), other.runs(), other);
  }

  private static List<NodeShare> held(Job job) {
    if (job.state() instanceof JobState.Suspended suspended) {
      return suspended.retainedShares();
    }
    JobState.Running run = job.state().runningOrSuspended();
    return run == null ? List.of() : run.allocation().shares();
  }

  @Override
  public ClusterSettings settings() {
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
  public List<NamedTopology> topologies() {
    return machine.topologies();
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
