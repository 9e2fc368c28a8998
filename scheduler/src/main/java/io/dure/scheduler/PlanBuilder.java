package io.dure.scheduler;

import io.dure.model.TaskIndices;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Placement;
import io.dure.model.gres.License;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.model.reservation.LicenseUse;
import io.dure.placement.JobFeasibility;
import io.dure.placement.NodeAllocation;
import io.dure.placement.gpus.GpuNodeRanking;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import io.dure.rules.limits.JobDemand;
import io.dure.rules.limits.StartLimits;
import io.dure.scheduler.timeline.PlanningTimeline;
import io.dure.scheduler.timeline.RequestClass;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/**
 * What one pass has decided so far: the starts, the licences and limits that they use up, and what
 * is said of each job. The parts of the pass write into it. One thread.
 */
final class PlanBuilder {
  private final SchedulerView view;
  private final JobQueue queue;
  private final PlanningTimeline outlook;
  private final Instant now;
  private final List<Placement> starts = new ArrayList<>();
  final PlannerOptions options;
  final long number;
  final StartableArrayTasks tasks;
  final @Nullable StartLimits limits;
  final BackfillReserver booker;
  LicenseUse licenseUse;
  int overtook;

  /** What a job gets, and for how many seconds. */
  record Fit(List<NodeShare> shares, long seconds) {}

  /**
   * What a pass is made for.
   *
   * @param round how far earlier passes have come in looking at promises again
   * @param overdue the jobs for which earlier passes reserved a start since they are overdue
   * @param number of the pass, rising
   */
  record PassInput(
      SchedulerView view,
      Instant now,
      ArrayTaskGate gate,
      ReservationRefreshRound round,
      SequencedSet<QueuedJob> overdue,
      long number) {}

  PlanBuilder(PassInput input, PlannerOptions options, JobQueue queue, PlanningTimeline outlook) {
    view = input.view();
    licenseUse = view.licenseUse();
    now = input.now();
    limits = StartLimits.of(view, now);
    tasks = new StartableArrayTasks(view, input.gate(), input.number());
    number = input.number();
    this.options = options;
    this.queue = queue;
    this.outlook = outlook;
    booker = new BackfillReserver(options, outlook, input.round(), number, view.pending().size());
  }

  List<Placement> starts() {
    return List.copyOf(starts);
  }

  void say(PartitionQueueEntry entry, PendingVerdict verdict) {
    entry.spoken = number;
    queue.say(entry, verdict);
  }

  /** Whether as many have started ahead of others as may. */
  boolean mayNotOvertake() {
    int most = options.promises().starts();
    return options.backfill() && most > 0 && overtook >= most;
  }

  /** The licences that the job would get, null where too few are free. */
  @Nullable List<License> licenses(PartitionQueueEntry entry) {
    LicenseRequest asked = entry.item.job.spec().resources().more().licenses();
    if (asked == null) {
      return List.of();
    }
    JobEquivalenceClass lane = entry.lane;
    Instant end =
        PlannerTime.instant(PlannerTime.after(outlook.now(), lane.seconds(outlook.now())));
    String own = lane.own == null ? null : lane.own.name();
    return asked.free(view.licenses(), licenseUse.barred(view.reservations(), own, now, end));
  }

  /** A job of the lane holds these. */
  void take(List<License> licenses, JobEquivalenceClass lane) {
    licenseUse = licenseUse.changed(licenses, lane.own == null ? null : lane.own.name(), 1);
  }

  @Nullable JobDemand demand(PartitionQueueEntry entry, List<NodeShare> shares) {
    return limits == null
        ? null
        : JobDemand.of(
            entry.item.job, entry.partition, new Allocation(entry.partition.name(), shares));
  }

  /** The limit that keeps a job waiting, null if none does. */
  @Nullable String over(@Nullable JobDemand demand) {
    return limits == null || demand == null ? null : limits.reason(demand);
  }

  void count(@Nullable JobDemand demand) {
    if (limits != null && demand != null) {
      limits.started(demand);
    }
  }

  @Nullable GpuNodeRanking ranking(RequestClass shape) {
    return queue.ranking(shape, outlook.ledger(), number);
  }

  /** What a job holds that starts now. */
  List<NodeAllocation> holdings(PartitionQueueEntry entry, Fit fit) {
    long end = entry.end(outlook.now(), fit.seconds());
    List<NodeAllocation> holdings = new ArrayList<>(fit.shares().size());
    for (NodeShare share : fit.shares()) {
      holdings.add(entry.holding(outlook.ledger(), share, Math.min(end, PlannerTime.NEVER)));
    }
    return holdings;
  }

  /** The start of a job becomes part of the plan. */
  void propose(PartitionQueueEntry entry, @Nullable Integer task, Fit fit, boolean overtakes) {
    Job job = entry.item.job;
    List<NodeShare> shares = fit.shares();
    String reservation = entry.lane.own == null ? null : entry.lane.own.name();
    Allocation allocation =
        new Allocation(
            entry.partition.name(),
            shares,
            List.of(),
            reservation,
            entry.lane.shape.need().jobsPerCore(),
            null,
            null,
            overtakes,
            null,
            null);
    boolean isShorter = fit.seconds() < entry.lane.seconds(outlook.now());
    Duration limit = isShorter ? Duration.ofSeconds(fit.seconds()) : null;
    starts.add(new Placement(job.id(), task, allocation, overtakes, limit));
    if (taken(entry, task)) {
      queue.starts(entry.item);
    }
  }

  /** Nothing more is done for the job, or the task, in this pass; whether that is all of it. */
  boolean taken(PartitionQueueEntry entry, @Nullable Integer task) {
    Job job = entry.item.job;
    boolean all = true;
    if (task != null && job.array() instanceof ArrayPart.Waiting) {
      TaskIndices left = tasks.left(entry.item).without(task);
      entry.item.tasksLeft = left;
      all = left.isEmpty();
    }
    if (all) {
      entry.item.started = number;
    }
    if (job.array() != null) {
      tasks.started(job.baseId());
    }
    return all;
  }

  /** Without backfill no job behind this one gets any of the nodes. */
  void close(PartitionQueueEntry entry, boolean named) {
    if (named) {
      for (String name : entry.lane.shape.need().request().requiredNodes()) {
        outlook.close(outlook.ledger().index(name));
      }
    } else {
      for (int node : JobFeasibility.members(outlook.ledger(), entry.partition, entry.lane.own)) {
        outlook.close(node);
      }
    }
  }
}
