package io.dure.simulator.twin;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.usage.Decay;
import io.dure.core.accounting.usage.QueueCounts;
import io.dure.core.accounting.usage.UsageBook;
import io.dure.core.collection.IntMap;
import io.dure.core.config.PartitionConfig;
import io.dure.core.history.Run;
import io.dure.core.history.RunBook;
import io.dure.core.history.RunKind;
import io.dure.core.model.Allocation;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.reservation.Occurrences;
import io.dure.core.reservation.Reservation;
import io.dure.core.rollout.Imagined;
import io.dure.core.scheduler.PartitionRules;
import io.dure.core.scheduler.SchedulerNode;
import io.dure.core.scheduler.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The twin's present: what waits, what runs, what is held, and what can be learned from it. For one
 * thread.
 */
final class TwinCluster {
  private final Machine machine;
  private final @Nullable AccountingTree accounts;
  private QueueCounts queued = QueueCounts.NONE;
  private final boolean looked;
  private Imagined now;

  /**
   * An empty cluster whose jobs are charged to accounts, or to nobody.
   *
   * @param nodesFail whether somebody will ask who is on a node
   */
  TwinCluster(Machine machine, @Nullable AccountingTree accounts, boolean nodesFail) {
    this.machine = machine;
    this.accounts = accounts;
    looked = nodesFail;
    now = Imagined.of(TwinView.of(machine, accounts), nodesFail);
  }

  /** The same jobs on another machine that has all nodes of this one, charged to other accounts. */
  TwinCluster(TwinCluster before, Machine machine, @Nullable AccountingTree accounts) {
    this.machine = machine;
    this.accounts = accounts;
    looked = true;
    queued = before.queued;
    now = Imagined.of(TwinView.of(machine, accounts).with(before.now), looked);
  }

  /** What was used and what ran before anything that is seen here; none of it runs any more. */
  void begin(UsageBook used, RunBook ran, Instant at) {
    AccountingTree tree = now.accounts();
    Decay decay = Decay.of(machine.settings().priority().halfLife());
    UsageBook over = used;
    for (int job : used.charges().keys()) {
      over = over.ended(tree, job, at, decay);
    }
    TwinView empty = TwinView.of(machine, accounts);
    now = Imagined.of(empty.after(over, ran.withWaiting(0)), looked);
  }

  /** A job that held something before the cluster was looked at. */
  void adopt(Job job, Instant at) {
    count(null, job);
    now = now.start(job, at);
    JobState.Running run = job.state().underWay();
    if (run != null && job.state() instanceof JobState.Suspended) {
      now = now.suspend(job, run.allocation(), at);
    }
  }

  /** Reservations as they are now. */
  List<Reservation> reservations() {
    return now.reservations();
  }

  /** Reservations that are over come again, or are gone. */
  void expire(Instant instant) {
    if (now.reservations().stream().noneMatch(one -> !instant.isBefore(one.end(instant)))) {
      return;
    }
    List<Reservation> next = new ArrayList<>();
    for (Reservation one : now.reservations()) {
      Reservation after =
          instant.isBefore(one.end(instant)) ? one : Occurrences.after(one, instant);
      if (after != null) {
        next.add(after);
      }
    }
    TwinView bare = TwinView.of(machine, accounts).with(now);
    now = Imagined.of(bare.reserving(List.copyOf(next)), looked);
  }

  Imagined view() {
    return now;
  }

  /** Jobs that wait or run, by whom they are charged to. */
  QueueCounts queued() {
    return queued;
  }

  /** A job is a task of an array of which not all may run at a time. */
  void joins(int array, int task, int job) {
    now = now.joins(array, task, job);
  }

  @SuppressWarnings("ReferenceEquality") // a book that was not written in is the same object
  private void count(@Nullable Job before, @Nullable Job after) {
    var runs = now.runs().changed(before, after);
    now = runs == now.runs() ? now : now.with(runs);
    if (accounts != null) {
      queued = queued.changed(before, after);
    }
  }

  IntMap<Job> pending() {
    return now.pending();
  }

  IntMap<Job> active() {
    return now.active();
  }

  SchedulerNode node(int position) {
    return now.nodes().require(position);
  }

  void queue(Job job) {
    count(pending().get(job.id()), job);
    now = now.queue(job);
  }

  /** How long the job ran tells of others like it. */
  void learn(Job job, JobState.Running run, Duration ran) {
    PartitionConfig partition = machine.partition(run.allocation().partition());
    if (partition != null) {
      long limit = Times.seconds(PartitionRules.runTime(partition, job.spec()));
      RunKind kind = RunKind.of(job.spec(), limit);
      now = now.with(now.runs().ended(job.owner().uid(), kind, new Run(Times.seconds(ran), limit)));
    }
  }

  /** The job holds what it was given. */
  void start(Job running, Instant at) {
    now = now.with(now.runs().started(at));
    count(pending().get(running.id()), running);
    now = now.start(running, at);
  }

  /** Something of a job that holds resources is otherwise. */
  void change(Job job) {
    count(active().get(job.id()), job);
    now = now.change(job);
  }

  /** The job keeps all but its cores. */
  void suspend(Job job, Allocation allocation, Instant at) {
    count(active().get(job.id()), job);
    now = now.suspend(job, allocation, at);
  }

  /** The job has its cores again. */
  void resume(Job job, Allocation allocation, Instant at) {
    count(active().get(job.id()), job);
    now = now.resume(job, allocation, at);
  }

  /** What the job held is free. */
  void end(int job, Instant at) {
    count(active().get(job), null);
    now = now.end(job, at);
  }

  /** Lets a node take jobs, or none. */
  void setAvailable(int position, boolean available) {
    now = now.available(position, available);
  }
}
