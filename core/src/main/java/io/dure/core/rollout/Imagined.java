package io.dure.core.rollout;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.usage.Charge;
import io.dure.core.accounting.usage.UsageBook;
import io.dure.core.collection.IntMap;
import io.dure.core.config.PartitionConfig;
import io.dure.core.config.Settings;
import io.dure.core.config.topology.Topology;
import io.dure.core.history.RunBook;
import io.dure.core.model.Allocation;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.NodeShare;
import io.dure.core.model.TaskIndices;
import io.dure.core.reservation.LicenseUse;
import io.dure.core.reservation.Reservation;
import io.dure.core.scheduler.Placement;
import io.dure.core.scheduler.RunEnd;
import io.dure.core.scheduler.SchedulerNode;
import io.dure.core.scheduler.SchedulerView;
import io.dure.core.scheduler.limits.Charges;
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
public record Imagined(
    Scene scene,
    IntMap<? extends SchedulerNode> nodes,
    IntMap<Job> pending,
    IntMap<Job> active,
    IntMap<IntMap<Integer>> arrays,
    UsageBook usage,
    LicenseUse licenseUse,
    RunBook runs)
    implements SchedulerView {

  /**
   * A job that has started.
   *
   * @param view the cluster with it
   * @param job as it runs; a task of an array that did not have a record of its own has one now
   */
  public record Start(Imagined view, Job job) {}

  /** The cluster as it is. What jobs hold on single nodes is kept up where jobs make room. */
  public static Imagined of(SchedulerView base) {
    return base instanceof Imagined same ? same : of(base, false);
  }

  /**
   * The cluster as it is.
   *
   * @param looked whether somebody will ask the nodes what jobs hold there
   */
  public static Imagined of(SchedulerView base, boolean looked) {
    return new Imagined(
        Scene.of(base, looked),
        base.nodes(),
        base.pending(),
        base.active(),
        IntMap.empty(),
        base.usage(),
        base.licenseUse(),
        base.runs());
  }

  @Override
  public Settings settings() {
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
  public List<Reservation> reservations() {
    return scene.reservations();
  }

  /** Those who were over before: what is imagined is told who ends in it. */
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

  /** With other settings. */
  public Imagined with(Settings settings) {
    return new Imagined(
        scene.with(settings), nodes, pending, active, arrays, usage, licenseUse, runs);
  }

  /** With other partitions. */
  public Imagined with(List<PartitionConfig> partitions) {
    return new Imagined(
        scene.with(partitions), nodes, pending, active, arrays, usage, licenseUse, runs);
  }

  /** With those reservations. */
  public Imagined reserving(List<Reservation> those) {
    return new Imagined(
        scene.reserving(those), nodes, pending, active, arrays, usage, licenseUse, runs);
  }

  /** With others who wait, by id. */
  public Imagined waiting(IntMap<Job> others) {
    return new Imagined(scene, nodes, others, active, arrays, usage, licenseUse, runs);
  }

  /** With other nodes, by position. */
  public Imagined with(IntMap<? extends SchedulerNode> others) {
    return new Imagined(scene, others, pending, active, arrays, usage, licenseUse, runs);
  }

  /** With other knowledge of how long jobs run. */
  public Imagined with(RunBook other) {
    return new Imagined(scene, nodes, pending, active, arrays, usage, licenseUse, other);
  }

  /** With a node that takes jobs, or none. */
  public Imagined available(int position, boolean takesJobs) {
    return change(position, node -> node.taking(takesJobs));
  }

  private Imagined change(int position, UnaryOperator<ImaginedNode> change) {
    SchedulerNode node = nodes.get(position);
    return node == null ? this : with(put(position, change.apply(ImaginedNode.of(node))));
  }

  @SuppressWarnings("unchecked") // a map of some kind of node is also one of nodes: it is only read
  private IntMap<SchedulerNode> put(int position, SchedulerNode node) {
    return ((IntMap<SchedulerNode>) nodes).with(position, node);
  }

  // What happens.

  /** A job waits: one that comes, or another in place of the one with its id. */
  public Imagined queue(Job job) {
    return new Imagined(
        scene, nodes, pending.with(job.id(), job), active, arrays, usage, licenseUse, runs);
  }

  /** A job does not wait any more. */
  public Imagined withdraw(int job) {
    return new Imagined(
        scene, nodes, pending.without(job), active, arrays, usage, licenseUse, runs);
  }

  /** A task of an array has that job id. */
  public Imagined joins(int array, int task, int job) {
    IntMap<IntMap<Integer>> next = arrays.with(array, arrayTasks(array).with(task, job));
    return new Imagined(scene, nodes, pending, active, next, usage, licenseUse, runs);
  }

  /**
   * What the scheduler proposes happens.
   *
   * @param placement of a job that waits
   * @param fresh the id of a task that gets a record of its own by it; nobody's
   */
  public Start start(Placement placement, Instant now, int fresh) {
    Job waiting = pending.require(placement.jobId());
    Integer task = placement.taskIndex();
    Imagined split = this;
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
    return new Start(split.start(running, now), running);
  }

  /** A waiting job as it would run that is placed now. */
  public Job running(Placement placement, Job waiting, Instant now) {
    Job job = placement.asRun(waiting);
    Allocation allocation = placement.licensed(this, job.spec(), now);
    Instant limit = RunEnd.of(this, job.spec(), allocation, now);
    return job.withRun(job.run() + 1)
        .withState(
            new JobState.Running(
                allocation, now, limit, true, false, Hold.NONE, false, null, null));
  }

  /** A job that runs from now on holds what its state says. */
  public Imagined start(Job running, Instant at) {
    JobState.Running run = running.state().underWay();
    if (run == null) {
      throw new IllegalArgumentException("job " + running.id() + " does not run");
    }
    Imagined next =
        new Imagined(
            scene,
            nodes,
            pending.without(running.id()),
            active.with(running.id(), running),
            arrays,
            charged(running, run.allocation(), at),
            licenseUse.changed(run.allocation(), 1),
            runs);
    return next.holding(running.id(), run.allocation().shares());
  }

  private UsageBook charged(Job running, Allocation allocation, Instant at) {
    if (!scene.charged()) {
      return usage;
    }
    PartitionConfig partition = partition(allocation.partition());
    Charge charge = Charges.of(accounts(), settings().priority(), partition, running, allocation);
    return charge == null
        ? usage
        : usage.started(accounts(), running.id(), charge, at, scene.decay());
  }

  private UsageBook discharged(int job, Instant at) {
    return scene.charged() ? usage.ended(accounts(), job, at, scene.decay()) : usage;
  }

  private Imagined holding(int job, List<NodeShare> shares) {
    if (!scene.looked()) {
      return this;
    }
    Imagined next = this;
    for (NodeShare share : shares) {
      next = next.change(nodePosition(share.node()), node -> node.holding(job, share));
    }
    return next;
  }

  /** Something of a job that holds resources is otherwise. */
  public Imagined change(Job job) {
    return new Imagined(
        scene, nodes, pending, active.with(job.id(), job), arrays, usage, licenseUse, runs);
  }

  /** A job stands still, and keeps all but its cores. */
  public Imagined suspend(Job suspended, Allocation allocation, Instant at) {
    Imagined next = change(suspended).with(discharged(suspended.id(), at));
    return next.holding(
        suspended.id(), allocation.shares().stream().map(NodeShare::withoutCores).toList());
  }

  private Imagined with(UsageBook next) {
    return new Imagined(scene, nodes, pending, active, arrays, next, licenseUse, runs);
  }

  /** A job has its cores again. */
  public Imagined resume(Job running, Allocation allocation, Instant at) {
    return change(running)
        .with(charged(running, allocation, at))
        .holding(running.id(), allocation.shares());
  }

  /** What a job held is free; the job is gone. */
  public Imagined end(int id, Instant at) {
    Job job = active.get(id);
    Allocation held = job == null ? null : held(job);
    if (job == null || held == null) {
      return this;
    }
    boolean licensed = job.state().underWay() != null;
    Imagined next =
        new Imagined(
            scene,
            nodes,
            pending,
            active.without(id),
            arrays,
            discharged(id, at),
            licensed ? licenseUse.changed(held, -1) : licenseUse,
            runs);
    if (scene.looked()) {
      for (NodeShare share : held.shares()) {
        next = next.change(nodePosition(share.node()), node -> node.releasing(id));
      }
    }
    return next;
  }

  private static @Nullable Allocation held(Job job) {
    return switch (job.state()) {
      case JobState.Running running -> running.allocation();
      case JobState.Suspended suspended -> suspended.run().allocation();
      case JobState.Completing completing -> completing.allocation();
      case JobState.Pending _, JobState.Ended _ -> null;
    };
  }

  /** Without some of those that hold resources. */
  public Imagined without(List<Integer> jobs, Instant at) {
    Imagined next = this;
    for (int job : jobs) {
      next = next.end(job, at);
    }
    return next;
  }
}
