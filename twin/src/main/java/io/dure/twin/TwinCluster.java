package io.dure.twin;

import io.dure.model.Allocation;
import io.dure.model.Job;
import io.dure.model.JobState;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.accounting.usage.OwnerJobCounts;
import io.dure.model.accounting.usage.UsageDecay;
import io.dure.model.accounting.usage.UsageLedger;
import io.dure.model.collection.IntMap;
import io.dure.model.config.PartitionConfig;
import io.dure.model.history.RecordedRun;
import io.dure.model.history.RunHistory;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationRecurrence;
import io.dure.rules.PartitionRules;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerNode;
import io.dure.virtual.VirtualClusterView;
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
  private final ReplayMachine machine;
  private final @Nullable AccountingTree accounts;
  private OwnerJobCounts queued = OwnerJobCounts.NONE;
  private final boolean looked;
  private VirtualClusterView now;

  /**
   * An empty cluster whose jobs are charged to accounts, or to nobody.
   *
   * @param nodesFail whether somebody will ask who is on a node
   */
  TwinCluster(ReplayMachine machine, @Nullable AccountingTree accounts, boolean nodesFail) {
    this.machine = machine;
    this.accounts = accounts;
    looked = nodesFail;
    now = VirtualClusterView.of(TwinView.of(machine, accounts), nodesFail);
  }

  /** The same jobs on another machine that has all nodes of this one, charged to other accounts. */
  TwinCluster(TwinCluster before, ReplayMachine machine, @Nullable AccountingTree accounts) {
    this.machine = machine;
    this.accounts = accounts;
    looked = true;
    queued = before.queued;
    now = VirtualClusterView.of(TwinView.of(machine, accounts).with(before.now), looked);
  }

  /** What was used and what ran before anything that is seen here; none of it runs any more. */
  void begin(UsageLedger used, RunHistory ran, Instant at) {
    AccountingTree tree = now.accounts();
    UsageDecay decay = UsageDecay.of(machine.settings().priority().halfLife());
    UsageLedger over = used;
    for (int job : used.charges().keys()) {
      over = over.ended(tree, job, at, decay);
    }
    TwinView empty = TwinView.of(machine, accounts);
    now = VirtualClusterView.of(empty.after(over, ran.withWaiting(0)), looked);
  }

  /** A job that held something before the cluster was looked at. */
  void adopt(Job job, Instant at) {
    count(null, job);
    now = now.start(job, at);
    JobState.Running run = job.state().runningOrSuspended();
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
          instant.isBefore(one.end(instant)) ? one : ReservationRecurrence.after(one, instant);
      if (after != null) {
        next.add(after);
      }
    }
    TwinView bare = TwinView.of(machine, accounts).with(now);
    now = VirtualClusterView.of(bare.reserving(List.copyOf(next)), looked);
  }

  VirtualClusterView view() {
    return now;
  }

  /** Jobs that wait or run, by whom they are charged to. */
  OwnerJobCounts queued() {
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
      long limit = PlannerTime.seconds(PartitionRules.runTime(partition, job.spec()));
      SimilarRunKey kind = SimilarRunKey.of(job.spec(), limit);
      now =
          now.with(
              now.runs()
                  .ended(
                      job.owner().uid(), kind, new RecordedRun(PlannerTime.seconds(ran), limit)));
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
