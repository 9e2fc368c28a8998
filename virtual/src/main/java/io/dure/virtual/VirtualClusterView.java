package io.dure.virtual;

import io.dure.model.TaskIndices;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.usage.JobCharge;
import io.dure.model.accounting.usage.UsageLedger;
import io.dure.model.collection.IntMap;
import io.dure.model.command.Placement;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.PartitionConfig;
import io.dure.model.config.topology.NamedTopology;
import io.dure.model.config.topology.Topology;
import io.dure.model.history.RunHistory;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.reservation.LicenseUse;
import io.dure.model.reservation.Reservation;
import io.dure.rules.ReservedNodes;
import io.dure.rules.RunEndTime;
import io.dure.rules.SchedulerNode;
import io.dure.rules.SchedulerView;
import io.dure.rules.limits.ChargeCalculator;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that goes on from another one, or differs from it in what a question is about. Never
 * changes: what happens gives a new one that shares nearly all with the old, so that a planner
 * follows it at the cost of what happened.
 *
 * @param scene what stays as it is
 * @param nodes by position
 * @param pending jobs in the queue, by id
 * @param active jobs that hold resources, by id
 * @param arrays tasks of arrays that have records of their own, where they differ from the base
 * @param usage what was used of what accounts are given
 * @param licenseUse what running jobs hold
 * @param runs how long jobs ran before, and how much waited
 */
@RecordBuilder
public record VirtualClusterView(
    FixedClusterContext scene,
    IntMap<? extends SchedulerNode> nodes,
    IntMap<Job> pending,
    IntMap<Job> active,
    IntMap<IntMap<Integer>> arrays,
    UsageLedger usage,
    LicenseUse licenseUse,
    RunHistory runs)
    implements SchedulerView, VirtualClusterViewBuilder.With {

  /**
   * A job that has started.
   *
   * @param view the cluster with it
   * @param job as it runs; a task of an array that did not have a record of its own has one now
   */
  public record StartedJob(VirtualClusterView view, Job job) {}

  /** The cluster as it is. What jobs hold on single nodes is kept up where jobs make room. */
  public static VirtualClusterView of(SchedulerView base) {
    return base instanceof VirtualClusterView same ? same : of(base, false);
  }

  /**
   * The cluster as it is.
   *
   * @param looked whether what jobs hold on nodes will be asked for
   */
  public static VirtualClusterView of(SchedulerView base, boolean looked) {
    return new VirtualClusterView(
        FixedClusterContext.of(base, looked),
        base.nodes(),
        base.pending(),
        base.active(),
        IntMap.empty(),
        base.usage(),
        base.licenseUse(),
        base.runs());
  }

  @Override
  public ClusterSettings settings() {
    return scene.settings();
  }

  @Override
  public List<PartitionConfig> partitions() {
    return scene.partitions();
  }

  @Override
  public int nodePosition(String name) {
    return scene.base().nodePosition(name);
  }

  @Override
  public AccountingTree accounts() {
    return scene.base().accounts();
  }

  @Override
  public @Nullable Topology topology() {
    return scene.base().topology();
  }

  @Override
  public List<NamedTopology> topologies() {
    return scene.base().topologies();
  }

  @Override
  public List<Reservation> reservations() {
    return scene.reservations();
  }

  /** The jobs that were over before; those that end in the virtual cluster are reported to it. */
  @Override
  public IntMap<Job> ended() {
    return scene.base().ended();
  }

  @Override
  public IntMap<Integer> arrayTasks(int arrayJobId) {
    IntMap<Integer> tasks = arrays.get(arrayJobId);
    return tasks == null ? scene.base().arrayTasks(arrayJobId) : tasks;
  }

  /** The job that waits or holds resources under that id, null if none does. */
  public @Nullable Job job(int id) {
    Job job = pending.get(id);
    return job == null ? active.get(id) : job;
  }

  // What is otherwise.

  /** With those reservations. */
  public VirtualClusterView reserving(List<Reservation> those) {
    return withScene(scene.withReservations(those));
  }

  /** With a node that takes jobs, or none. */
  public VirtualClusterView available(int position, boolean takesJobs) {
    return change(position, node -> node.taking(takesJobs));
  }

  private VirtualClusterView change(int position, UnaryOperator<VirtualNode> change) {
    SchedulerNode node = nodes.get(position);
    return node == null ? this : withNodes(put(position, change.apply(VirtualNode.of(node))));
  }

  @SuppressWarnings("unchecked") // a map of some kind of node is also one of nodes: it is only read
  private IntMap<SchedulerNode> put(int position, SchedulerNode node) {
    return ((IntMap<SchedulerNode>) nodes).with(position, node);
  }

  // What happens.

  /** A job waits: one that comes, or another in place of the one with its id. */
  public VirtualClusterView queue(Job job) {
    return withPending(pending.with(job.id(), job));
  }

  /** A job does not wait any more. */
  public VirtualClusterView withdraw(int job) {
    return withPending(pending.without(job));
  }

  /** A task of an array has that job id. */
  public VirtualClusterView joins(int array, int task, int job) {
    return withArrays(arrays.with(array, arrayTasks(array).with(task, job)));
  }

  /**
   * What the scheduler proposes happens.
   *
   * @param placement of a job that waits
   * @param fresh the id of a task that gets a record of its own by it; not in use
   */
  public StartedJob start(Placement placement, Instant now, int fresh) {
    Job waiting = pending.require(placement.jobId());
    Integer task = placement.taskIndex();
    VirtualClusterView split = this;
    if (task != null && waiting.array() instanceof ArrayPart.Waiting part) {
      TaskIndices left = part.waiting().without(task);
      int id = left.isEmpty() ? waiting.id() : fresh;
      if (!left.isEmpty()) {
        ArrayPart rest =
            new ArrayPart.Waiting(part.arrayJobId(), part.shape(), left, part.throttle());
        split = split.queue(waiting.withArray(waiting.id(), rest));
      }
      ArrayPart own = new ArrayPart.Task(part.arrayJobId(), part.shape(), task, part.throttle());
      waiting = waiting.withArray(id, own);
      split = split.joins(part.arrayJobId(), task, id);
    }
    Job running = running(placement, waiting, now);
    return new StartedJob(split.start(running, now), running);
  }

  /** A waiting job as it would run that is placed now. */
  public Job running(Placement placement, Job waiting, Instant now) {
    Job job = placement.asRun(waiting);
    Allocation allocation = ReservedNodes.licensed(this, job.spec(), placement.allocation(), now);
    Instant limit = RunEndTime.of(this, job.spec(), allocation, now);
    return job.withRun(job.run() + 1)
        .withState(
            new JobState.Running(
                allocation, now, limit, true, false, Hold.NONE, false, null, null, false));
  }

  /** A job that runs from now on holds what its state says. */
  public VirtualClusterView start(Job running, Instant at) {
    JobState.Running run = running.state().runningOrSuspended();
    if (run == null) {
      throw new IllegalArgumentException("job " + running.id() + " does not run");
    }
    return with()
        .pending(pending.without(running.id()))
        .active(active.with(running.id(), running))
        .usage(charged(running, run.allocation(), at))
        .licenseUse(licenseUse.changed(run.allocation(), 1))
        .build()
        .holding(running.id(), run.allocation().shares());
  }

  private UsageLedger charged(Job running, Allocation allocation, Instant at) {
    if (!scene.charged()) {
      return usage;
    }
    PartitionConfig partition = partition(allocation.partition());
    JobCharge charge =
        ChargeCalculator.of(accounts(), settings().priority(), partition, running, allocation);
    return charge == null
        ? usage
        : usage.started(accounts(), running.id(), charge, at, scene.decay());
  }

  private UsageLedger discharged(int job, Instant at) {
    return scene.charged() ? usage.ended(accounts(), job, at, scene.decay()) : usage;
  }

  private VirtualClusterView holding(int job, List<NodeShare> shares) {
    if (!scene.looked()) {
      return this;
    }
    VirtualClusterView next = this;
    for (NodeShare share : shares) {
      next = next.change(nodePosition(share.node()), node -> node.holding(job, share));
    }
    return next;
  }

  /** Something of a job that holds resources is otherwise. */
  public VirtualClusterView change(Job job) {
    return withActive(active.with(job.id(), job));
  }

  /** A job stands still, and keeps all but its cores. */
  public VirtualClusterView suspend(Job suspended, Allocation allocation, Instant at) {
    VirtualClusterView next = change(suspended).withUsage(discharged(suspended.id(), at));
    return next.holding(
        suspended.id(), allocation.shares().stream().map(NodeShare::withoutCores).toList());
  }

  /** A job has its cores again. */
  public VirtualClusterView resume(Job running, Allocation allocation, Instant at) {
    return change(running)
        .withUsage(charged(running, allocation, at))
        .holding(running.id(), allocation.shares());
  }

  /** What a job held is free; the job is gone. */
  public VirtualClusterView end(int id, Instant at) {
    Job job = active.get(id);
    Allocation held = job == null ? null : job.state().allocated();
    if (job == null || held == null) {
      return this;
    }
    boolean licensed = job.state().runningOrSuspended() != null;
    VirtualClusterView next =
        with()
            .active(active.without(id))
            .usage(discharged(id, at))
            .licenseUse(licensed ? licenseUse.changed(held, -1) : licenseUse)
            .build();
    if (scene.looked()) {
      for (NodeShare share : held.shares()) {
        next = next.change(nodePosition(share.node()), node -> node.releasing(id));
      }
    }
    return next;
  }
}
