package io.dure.simulator.twin;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.usage.Charge;
import io.dure.core.accounting.usage.Decay;
import io.dure.core.accounting.usage.QueueCounts;
import io.dure.core.accounting.usage.UsageBook;
import io.dure.core.collection.IntMap;
import io.dure.core.config.NodeConfig;
import io.dure.core.config.PartitionConfig;
import io.dure.core.config.preempt.PreemptSettings;
import io.dure.core.history.Run;
import io.dure.core.history.RunBook;
import io.dure.core.history.RunKind;
import io.dure.core.model.Allocation;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.NodeShare;
import io.dure.core.reservation.LicenseUse;
import io.dure.core.scheduler.PartitionRules;
import io.dure.core.scheduler.Times;
import io.dure.core.scheduler.limits.Charges;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The twin's present: what waits, what runs, what is held. For one thread. */
final class TwinCluster {
  private final Machine machine;
  private IntMap<TwinNode> nodes = IntMap.empty();
  private IntMap<Job> pending = IntMap.empty();
  private IntMap<Job> active = IntMap.empty();
  private IntMap<IntMap<Integer>> arrays = IntMap.empty();
  private final @Nullable AccountingTree accounts;
  private final Decay decay;
  private UsageBook usage = UsageBook.EMPTY;
  private LicenseUse licenses = LicenseUse.NONE;
  private QueueCounts queued = QueueCounts.NONE;
  private RunBook runs = RunBook.EMPTY;

  /** Whether somebody asks what jobs hold on a node; the scheduler counts by itself. */
  private final boolean looked;

  /**
   * An empty cluster whose jobs are charged to accounts, or to nobody.
   *
   * @param nodesFail whether somebody will ask who is on a node
   */
  TwinCluster(Machine machine, @Nullable AccountingTree accounts, boolean nodesFail) {
    this.machine = machine;
    looked = nodesFail || machine.settings().preempt().type() != PreemptSettings.Type.NONE;
    this.accounts = accounts;
    decay = Decay.of(machine.settings().priority().halfLife());
    int position = 0;
    for (NodeConfig node : machine.nodes()) {
      nodes = nodes.with(position++, new TwinNode(node, true, IntMap.empty()));
    }
  }

  TwinView view() {
    AccountingTree tree = accounts == null ? AccountingTree.initial() : accounts;
    return new TwinView(machine, nodes, pending, active, tree, usage, arrays, licenses, runs);
  }

  /** Jobs that wait or run, by whom they are charged to. */
  QueueCounts queued() {
    return queued;
  }

  /** A job is a task of an array of which not all may run at a time. */
  void joins(int array, int task, int job) {
    IntMap<Integer> tasks = arrays.get(array);
    IntMap<Integer> known = tasks == null ? IntMap.empty() : tasks;
    arrays = arrays.with(array, known.with(task, job));
  }

  private void count(@Nullable Job before, @Nullable Job after) {
    runs = runs.changed(before, after);
    if (accounts != null) {
      queued = queued.changed(before, after);
    }
  }

  IntMap<Job> pending() {
    return pending;
  }

  IntMap<Job> active() {
    return active;
  }

  TwinNode node(int position) {
    return nodes.require(position);
  }

  void queue(Job job) {
    count(pending.get(job.id()), job);
    pending = pending.with(job.id(), job);
  }

  /** How long the job ran tells of others like it. */
  void learn(Job job, JobState.Running run, Duration ran) {
    PartitionConfig partition = machine.partition(run.allocation().partition());
    if (partition != null) {
      long limit = Times.seconds(PartitionRules.runTime(partition, job.spec()));
      RunKind kind = RunKind.of(job.spec(), limit);
      runs = runs.ended(job.owner().uid(), kind, new Run(Times.seconds(ran), limit));
    }
  }

  /** The job holds what it was given. */
  void start(Job running, Allocation allocation, Instant at) {
    runs = runs.started(at);
    count(pending.get(running.id()), running);
    pending = pending.without(running.id());
    charge(running, allocation, at);
    licenses = licenses.changed(allocation, 1);
    active = active.with(running.id(), running);
    for (NodeShare share : allocation.shares()) {
      change(share.node(), node -> node.holding(running.id(), share));
    }
  }

  private void charge(Job running, Allocation allocation, Instant at) {
    if (accounts != null) {
      PartitionConfig partition = machine.partition(allocation.partition());
      Charge charge =
          Charges.of(accounts, machine.settings().priority(), partition, running, allocation);
      if (charge != null) {
        usage = usage.started(accounts, running.id(), charge, at, decay);
      }
    }
  }

  private void discharge(int job, Instant at) {
    if (accounts != null) {
      usage = usage.ended(accounts, job, at, decay);
    }
  }

  /** Something of a job that holds resources is otherwise. */
  void change(Job job) {
    count(active.get(job.id()), job);
    active = active.with(job.id(), job);
  }

  /** The job keeps all but its cores. */
  void suspend(Job job, Allocation allocation, Instant at) {
    change(job);
    discharge(job.id(), at);
    for (NodeShare share : allocation.shares()) {
      change(share.node(), node -> node.holding(job.id(), share.withoutCores()));
    }
  }

  /** The job has its cores again. */
  void resume(Job job, Allocation allocation, Instant at) {
    change(job);
    charge(job, allocation, at);
    for (NodeShare share : allocation.shares()) {
      change(share.node(), node -> node.holding(job.id(), share));
    }
  }

  /** What the job held is free. */
  void end(int job, Allocation allocation, Instant at) {
    count(active.get(job), null);
    discharge(job, at);
    licenses = licenses.changed(allocation, -1);
    active = active.without(job);
    for (NodeShare share : allocation.shares()) {
      change(share.node(), node -> node.releasing(job));
    }
  }

  /** Lets a node take jobs, or none. */
  void setAvailable(int position, boolean available) {
    nodes = nodes.with(position, nodes.require(position).taking(available));
  }

  private void change(String name, UnaryOperator<TwinNode> change) {
    if (looked) {
      int position = machine.position(name);
      nodes = nodes.with(position, change.apply(nodes.require(position)));
    }
  }
}
