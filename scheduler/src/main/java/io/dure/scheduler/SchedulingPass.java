package io.dure.scheduler;

import io.dure.model.TaskIndices;
import io.dure.model.command.PendingReason;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Placement;
import io.dure.model.gres.License;
import io.dure.model.gres.LicenseRequest;
import io.dure.model.job.Allocation;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.model.reservation.LicenseUse;
import io.dure.placement.CandidateNodes;
import io.dure.placement.JobFeasibility;
import io.dure.placement.JobPlacer;
import io.dure.placement.NodeAllocation;
import io.dure.placement.gpus.GpuNodeRanking;
import io.dure.rules.JobReadiness;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import io.dure.rules.limits.JobDemand;
import io.dure.rules.limits.ReserveEligibility;
import io.dure.rules.limits.StartLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** One pass over the queue; used once. */
final class SchedulingPass {
  private static final PendingVerdict PRIORITY = PendingVerdict.of(PendingReason.PRIORITY);
  private static final PendingVerdict RESERVATION = PendingVerdict.of(PendingReason.RESERVATION);
  private static final PendingVerdict RESOURCES = PendingVerdict.of(PendingReason.RESOURCES);

  private final SchedulerView view;
  final PlannerOptions options;
  private final JobQueue queue;
  private final PlanningTimeline outlook;
  private final Instant now;
  final long number;
  private final CandidateNodes candidates = new CandidateNodes();
  private final List<Placement> starts = new ArrayList<>();

  private final StartableArrayTasks tasks;
  final @Nullable StartLimits limits;
  private final ReserveEligibility reserve;
  LicenseUse licenseUse;
  final BackfillReserver booker;
  int overtook;
  private final HetJobPlanner hetJobs;
  private final @Nullable PreemptionPlanner preempting;

  /** How far the pass has come in a lane. */
  private static final class Cursor {
    final JobEquivalenceClass lane;
    final Iterator<PartitionQueueEntry> rest;
    PartitionQueueEntry entry;

    Cursor(JobEquivalenceClass lane) {
      this.lane = lane;
      rest = lane.entries.iterator();
      entry = rest.next();
    }

    boolean advance() {
      if (!rest.hasNext()) {
        return false;
      }
      entry = rest.next();
      return true;
    }
  }

  /** What becomes of the lane of a job that was considered. */
  private enum Next {
    /** The job behind it is considered. */
    JOB,
    /** Nothing of the lane starts in this pass. */
    LANE,
    /** It is considered again behind the last promise. */
    TAIL
  }

  /** What a job gets, and for how many seconds. */
  record Fit(List<NodeShare> shares, long seconds) {}

  /**
   * What a pass is made for.
   *
   * @param round how far earlier passes have come in looking at promises again
   * @param number of the pass, rising
   */
  record PassInput(
      SchedulerView view,
      Instant now,
      ArrayTaskGate gate,
      ReservationRefreshRound round,
      long number) {}

  SchedulingPass(
      PassInput occasion, PlannerOptions options, JobQueue queue, PlanningTimeline outlook) {
    view = occasion.view();
    licenseUse = view.licenseUse();
    now = occasion.now();
    limits = StartLimits.of(view, now);
    reserve = ReserveEligibility.of(view);
    tasks = new StartableArrayTasks(view, occasion.gate(), occasion.number());
    number = occasion.number();
    this.options = options;
    this.queue = queue;
    this.outlook = outlook;
    preempting = PreemptionPlanner.of(view, now, outlook, queue);
    booker =
        new BackfillReserver(options, outlook, occasion.round(), number, view.pending().size());
    hetJobs = new HetJobPlanner(this, outlook);
  }

  SchedulingPlan run() {
    PriorityQueue<Cursor> heads =
        new PriorityQueue<>(Comparator.comparing((Cursor cursor) -> cursor.entry));
    for (JobEquivalenceClass lane : queue.lanes()) {
      heads.add(new Cursor(lane));
    }
    boolean shortest = options.tail() == PlannerOptions.Tail.SHORTEST;
    PriorityQueue<Cursor> tail =
        new PriorityQueue<>(
            Comparator.comparingLong((Cursor cursor) -> cursor.lane.seconds())
                .thenComparing(cursor -> cursor.entry));
    walk(heads, shortest ? tail : null);
    walk(elders(tail), null);
    walk(tail, null);
    hetJobs.settle();
    outlook.undo();
    return new SchedulingPlan(
        List.copyOf(starts),
        queue.verdicts(),
        booker.isUnfinished() || queue.isStale(),
        preempting == null ? List.of() : preempting.preemptions());
  }

  /** How many jobs that have to wait were promised a start, or kept their promise. */
  int promised() {
    return options.backfill() ? booker.booked() : 0;
  }

  /**
   * Takes from those behind the last promise who is promised a start because he has waited long.
   */
  private PriorityQueue<Cursor> elders(PriorityQueue<Cursor> tail) {
    Comparator<Cursor> older = Comparator.comparing(one -> one.entry.since());
    BinaryOperator<Cursor> oldest = BinaryOperator.minBy(older.thenComparing(one -> one.entry));
    TreeMap<String, Cursor> ofLine = new TreeMap<>();
    for (Cursor cursor : tail) {
      if (queue.hasWaited(cursor.entry.item.job)) {
        ofLine.merge(cursor.lane.line, cursor, oldest);
      }
    }
    PriorityQueue<Cursor> elders = new PriorityQueue<>(Comparator.comparing(one -> one.entry));
    elders.addAll(ofLine.values());
    elders.forEach(cursor -> booker.admit(cursor.lane));
    tail.removeAll(elders);
    return elders;
  }

  private void walk(PriorityQueue<Cursor> heads, @Nullable PriorityQueue<Cursor> tail) {
    for (Cursor cursor = heads.poll(); cursor != null; cursor = heads.poll()) {
      PartitionQueueEntry entry = cursor.entry;
      Next next =
          tail != null && booker.isFull(entry.lane)
              ? Next.TAIL
              : entry.item.started == number ? Next.JOB : consider(entry);
      switch (next) {
        case JOB -> {
          if (cursor.advance()) {
            heads.add(cursor);
          }
        }
        case LANE -> {}
        case TAIL -> {
          if (tail != null) {
            tail.add(cursor);
          }
        }
      }
    }
  }

  void say(PartitionQueueEntry entry, PendingVerdict verdict) {
    entry.spoken = number;
    queue.say(entry, verdict);
  }

  private Next drop(JobEquivalenceClass lane, PendingVerdict verdict) {
    queue.settle(lane, verdict, number);
    return Next.LANE;
  }

  /** What keeps all jobs of a lane waiting, whatever is free. */
  private @Nullable PendingVerdict shut(JobEquivalenceClass lane) {
    String rule = lane.rule == null ? lane.shape.reason() : lane.rule;
    return rule != null ? PendingVerdict.of(rule) : lane.isShut(now) ? RESERVATION : null;
  }

  private Next consider(PartitionQueueEntry entry) {
    JobEquivalenceClass lane = entry.lane;
    Job job = entry.item.job;
    PendingVerdict shut = shut(lane);
    if (shut != null) {
      return drop(lane, shut);
    }
    if (job.spec().deadline() != null) {
      PendingVerdict late = JobReadiness.blockingVerdict(job, now);
      if (late != null) {
        say(entry, late);
        return Next.JOB;
      }
    }
    if (job.het() != null) {
      hetJobs.consider(entry);
      return Next.JOB;
    }
    while (entry.item.started != number) {
      if (tasks.throttled(job.array())) {
        say(entry, PendingVerdict.of(PendingReason.ARRAY_LIMIT));
        return Next.JOB;
      }
      Integer task = tasks.next(entry.item);
      if (task == null && job.array() instanceof ArrayPart.Waiting) {
        say(entry, PendingVerdict.of(PendingReason.DEPENDENCY));
        return Next.JOB;
      }
      List<License> licenses = licenses(entry);
      if (licenses == null) {
        return drop(lane, PendingVerdict.of(PendingReason.LICENSES));
      }
      String over = over(limits == null ? null : entry.asked());
      if (over != null) {
        return drop(lane, PendingVerdict.of(over));
      }
      boolean overtakes = booker.somebodyWaits(lane);
      if (overtakes && mayNotOvertake()) {
        return drop(lane, PRIORITY);
      }
      Fit fit = fit(lane);
      if (fit == null) {
        if (preempting != null && preempting.claims(this, entry, task, licenses)) {
          continue;
        }
        return blocked(entry);
      }
      JobDemand demand = demand(entry, fit.shares());
      over = over(demand);
      if (over != null) {
        return drop(lane, PendingVerdict.of(over));
      }
      count(demand);
      take(licenses, lane);
      start(entry, task, fit, overtakes);
      overtook += overtakes ? 1 : 0;
    }
    return Next.JOB;
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

  /** What a job of the lane would get now, and for how long; of what it prefers if that will do. */
  private @Nullable Fit fit(JobEquivalenceClass lane) {
    RequestClass preferred = lane.shape.preferred();
    Fit fit = preferred == null ? null : fit(lane, preferred);
    return fit == null ? fit(lane, lane.shape) : fit;
  }

  private @Nullable Fit fit(JobEquivalenceClass lane, RequestClass shape) {
    long seconds = lane.seconds(outlook.now());
    List<NodeShare> shares = place(shape, seconds);
    long least = lane.key.least();
    if (shares != null || least >= seconds || !options.backfill()) {
      return shares == null ? null : new Fit(shares, seconds);
    }
    shares = place(shape, least);
    return shares == null ? null : longest(shape, new Fit(shares, least), seconds);
  }

  /** The longest run in whole minutes that fits, of which the least is known to fit. */
  private Fit longest(RequestClass shape, Fit least, long seconds) {
    Fit fit = least;
    long beyond = Math.min(seconds, PlannerTime.NEVER - outlook.now());
    for (long low = 0, high = (beyond - least.seconds()) / 60; low < high; ) {
      long middle = (low + high + 1) / 2;
      List<NodeShare> shares = place(shape, least.seconds() + 60 * middle);
      if (shares == null) {
        high = middle - 1;
      } else {
        low = middle;
        fit = new Fit(shares, least.seconds() + 60 * middle);
      }
    }
    return fit;
  }

  private @Nullable List<NodeShare> place(RequestClass shape, long seconds) {
    if (shape.isKnownToFail(number, seconds)) {
      return null;
    }
    if (!shape.mayFit()) {
      shape.fails(number, 0);
      return null;
    }
    long end = PlannerTime.after(outlook.now(), seconds);
    CandidateNodes fitting = shape.candidates(outlook, number, end);
    List<NodeShare> shares =
        JobPlacer.placeNow(
            shape.need(),
            outlook.ledger(),
            fitting,
            node -> shape.slot(outlook, node, end),
            ranking(shape));
    if (shares == null) {
      shape.fails(number, seconds);
    }
    return shares;
  }

  @Nullable GpuNodeRanking ranking(RequestClass shape) {
    return queue.ranking(shape, outlook.ledger(), number);
  }

  private void start(
      PartitionQueueEntry entry, @Nullable Integer task, Fit fit, boolean overtakes) {
    outlook.hold(holdings(entry, fit));
    propose(entry, task, fit, overtakes);
  }

  /** What a job holds that starts now. */
  List<NodeAllocation> holdings(PartitionQueueEntry entry, Fit fit) {
    long end = entry.end(outlook.now(), fit.seconds());
    List<NodeAllocation> holdings = new ArrayList<>(fit.shares().size());
    for (NodeShare share : fit.shares()) {
      holdings.add(outlook.holding(entry, share, Math.min(end, PlannerTime.NEVER)));
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
            entry.lane.shape.need().jobsPerCore());
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

  /** The job does not fit: says why, and keeps what it waits for from those behind it. */
  private Next blocked(PartitionQueueEntry entry) {
    JobEquivalenceClass lane = entry.lane;
    boolean behind = booker.somebodyWaits(lane);
    if (booker.isFull(lane) || !options.backfill() && behind) {
      return drop(lane, PRIORITY);
    }
    boolean named = !lane.shape.need().request().requiredNodes().isEmpty();
    PendingVerdict verdict = behind ? PRIORITY : obstacle(entry, named);
    if (!options.backfill()) {
      close(entry, named);
    } else if (booker.isPassedOver(entry)
        || !reserve.mayReserve(entry.item.job, entry.partition, entry.priority())) {
      say(entry, verdict);
      return Next.JOB;
    } else {
      PendingVerdict promised = booker.promise(entry, !behind, verdict);
      if (promised == null) {
        return drop(lane, PRIORITY);
      }
      verdict = promised;
    }
    booker.count(entry, !named);
    say(entry, verdict);
    return Next.JOB;
  }

  /** What is in the way of a job that does not fit: promises to others, reservations, or jobs. */
  private PendingVerdict obstacle(PartitionQueueEntry entry, boolean named) {
    RequestClass shape = entry.lane.shape;
    ReservationWindows doors = shape.doors();
    long now = outlook.now();
    long end = PlannerTime.after(now, entry.lane.seconds(now));
    if (shape.fitsAlone(outlook, doors, end, candidates)) {
      return PRIORITY;
    }
    if (doors == null) {
      return RESOURCES;
    }
    if (!shape.fitsAlone(outlook, null, end, candidates) && !shape.isKeptOff(outlook, doors, end)) {
      return RESOURCES;
    }
    if (doors.isMaintenance(shape.nodes(), now, end, now)) {
      return PendingVerdict.of(PendingReason.MAINTENANCE);
    }
    return PendingVerdict.of(named ? PendingReason.RESERVED : PendingReason.NODES_DOWN);
  }

  /** Without backfill nobody behind the job gets any of the nodes. */
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
