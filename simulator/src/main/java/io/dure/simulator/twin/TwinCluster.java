package io.dure.simulator.twin;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.accounting.usage.QueueCounts;
import io.dure.core.collection.IntMap;
import io.dure.core.config.PartitionConfig;
import io.dure.core.history.Run;
import io.dure.core.history.RunKind;
import io.dure.core.model.Allocation;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.rollout.Imagined;
import io.dure.core.scheduler.PartitionRules;
import io.dure.core.scheduler.SchedulerNode;
import io.dure.core.scheduler.Times;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The twin's present: what waits, what runs, what is held, and what can be learned from it. For one
 * thread.
 */
final class TwinCluster {
  private final Machine machine;
  private final @Nullable AccountingTree accounts;
  private QueueCounts queued = QueueCounts.NONE;
  private Imagined now;

  /**
   * An empty cluster whose jobs are charged to accounts, or to nobody.
   *
   * @param nodesFail whether somebody will ask who is on a node
   */
  TwinCluster(Machine machine, @Nullable AccountingTree accounts, boolean nodesFail) {
    this.machine = machine;
    this.accounts = accounts;
    now = Imagined.of(TwinView.of(machine, accounts), nodesFail);
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
