package io.dure.scheduler;

import io.dure.model.command.PendingReason;
import io.dure.model.command.PendingVerdict;
import io.dure.model.gres.License;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.placement.CandidateNodes;
import io.dure.placement.JobPlacer;
import io.dure.rules.JobReadiness;
import io.dure.rules.PlannerTime;
import io.dure.rules.limits.JobDemand;
import io.dure.rules.limits.ReserveEligibility;
import io.dure.scheduler.timeline.PlanningTimeline;
import io.dure.scheduler.timeline.RequestClass;
import io.dure.scheduler.timeline.ReservationWindows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** One pass over the queue; used once. */
final class SchedulingPass {
  private static final PendingVerdict PRIORITY = PendingVerdict.of(PendingReason.PRIORITY);
  private static final PendingVerdict RESERVATION = PendingVerdict.of(PendingReason.RESERVATION);
  private static final PendingVerdict RESOURCES = PendingVerdict.of(PendingReason.RESOURCES);

  private final PlannerOptions options;
  private final JobQueue queue;
  private final PlanningTimeline outlook;
  private final Instant now;
  private final long number;
  private final CandidateNodes candidates = new CandidateNodes();
  private final ReserveEligibility reserve;
  private final PlanBuilder plan;
  private final BackfillReserver booker;
  private final HetJobPlanner hetJobs;
  private final OverdueReservations overdue;

  /** What of them is promised a start that comes in the order of submission. */
  private final Set<String> inTurn = new LinkedHashSet<>();

  private final List<Cursor> behindOverdue = new ArrayList<>();

  /** The overdue job that is being looked at, whose reservation keeps no nodes from it. */
  private @Nullable PartitionQueueEntry opened;

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
    TAIL,
    /** It is considered again behind the overdue jobs that hold a start. */
    BEHIND_OVERDUE
  }

  SchedulingPass(
      PlanBuilder.PassInput input,
      PlannerOptions options,
      JobQueue queue,
      PlanningTimeline outlook) {
    now = input.now();
    reserve = ReserveEligibility.of(input.view());
    number = input.number();
    this.options = options;
    this.queue = queue;
    this.outlook = outlook;
    preempting = PreemptionPlanner.of(input.view(), now, outlook, queue);
    plan = new PlanBuilder(input, options, queue, outlook);
    booker = plan.booker;
    hetJobs = new HetJobPlanner(plan, outlook);
    overdue =
        new OverdueReservations(
            outlook,
            booker,
            input.overdue(),
            queue.scores(),
            input.round().sawFreed(outlook.ledger().changes().end()));
  }

  SchedulingPlan run() {
    queue.planByLimits(overdue.keep(queue));
    overdue.due().forEach(this::lookAtOverdue);
    PriorityQueue<Cursor> heads =
        new PriorityQueue<>(Comparator.comparing((Cursor cursor) -> cursor.entry));
    for (JobEquivalenceClass lane : queue.lanes()) {
      heads.add(new Cursor(lane));
    }
    Comparator<Cursor> order = Comparator.comparing(cursor -> cursor.entry);
    PriorityQueue<Cursor> tail =
        new PriorityQueue<>(
            options.tail() == PlannerOptions.Tail.SHORTEST
                ? Comparator.comparingLong((Cursor cursor) -> cursor.lane.seconds())
                    .thenComparing(order)
                : order);
    walk(heads, options.tail() == PlannerOptions.Tail.QUEUE ? null : tail);
    walk(firstInTurn(tail), null);
    walk(tail, null);
    hetJobs.settle();
    outlook.undo();
    return new SchedulingPlan(
        plan.starts(),
        queue.verdicts(),
        booker.isUnfinished() || queue.isStale(),
        preempting == null ? List.of() : preempting.preemptions(),
        overdue.wakes(queue.wakes()),
        overdue.made());
  }

  /** How many jobs that have to wait were promised a start, or kept their promise. */
  int promised() {
    return options.backfill() ? booker.booked() : 0;
  }

  /** Of the jobs behind the last promise, the first that comes in the order of submission. */
  private PriorityQueue<Cursor> firstInTurn(PriorityQueue<Cursor> tail) {
    Comparator<Cursor> order = Comparator.comparing(one -> one.entry);
    TreeMap<String, Cursor> ofLine = new TreeMap<>();
    for (Cursor cursor : tail) {
      if (!inTurn.contains(cursor.lane.line) && cursor.entry.isInTurn()) {
        ofLine.merge(cursor.lane.line, cursor, BinaryOperator.minBy(order));
      }
    }
    PriorityQueue<Cursor> first = new PriorityQueue<>(order);
    first.addAll(ofLine.values());
    first.forEach(cursor -> booker.admit(cursor.lane));
    tail.removeAll(first);
    return first;
  }

  private void walk(PriorityQueue<Cursor> heads, @Nullable PriorityQueue<Cursor> tail) {
    for (Cursor cursor = next(heads); cursor != null; cursor = next(heads)) {
      PartitionQueueEntry entry = cursor.entry;
      Next next =
          tail != null && !entry.lane.key.overdue() && booker.isFull(entry.lane)
              ? Next.TAIL
              : entry.item.started == number || overdue.isKept(entry) ? Next.JOB : consider(entry);
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
        case BEHIND_OVERDUE -> behindOverdue.add(cursor);
      }
    }
  }

  /**
   * The next to be considered. Short jobs that fit beside all that is reserved start before the
   * overdue jobs that hold a start look for an earlier one; all others come behind those.
   */
  private @Nullable Cursor next(PriorityQueue<Cursor> heads) {
    for (PartitionQueueEntry held = overdue.peek(); held != null; held = overdue.peek()) {
      Cursor cursor = heads.peek();
      int tier = cursor == null ? -1 : held.tierOrder(cursor.entry);
      if (tier > 0
          || tier == 0
              && cursor != null
              && (comesBeforeOverdue(cursor.entry) || cursor.entry.compareTo(held) < 0)) {
        return heads.poll();
      }
      overdue.poll();
      overdue.bringForward(held);
      lookAtOverdue(held);
      PartitionQueueEntry following = overdue.peek();
      if (following == null || following.tierOrder(held) != 0) {
        heads.addAll(behindOverdue);
        behindOverdue.clear();
      }
    }
    return heads.poll();
  }

  private static boolean comesBeforeOverdue(PartitionQueueEntry entry) {
    return entry.lane.key.overdue() || !entry.isInTurn();
  }

  /** Whether a job that does not fit is to be considered again behind overdue ones of its tier. */
  private boolean isBehindOverdue(PartitionQueueEntry entry) {
    PartitionQueueEntry held = overdue.peek();
    return held != null && !entry.lane.key.overdue() && held.tierOrder(entry) == 0;
  }

  /**
   * An overdue job starts if it can, or keeps what is reserved for it, in any of its partitions.
   */
  private void lookAtOverdue(PartitionQueueEntry held) {
    QueuedJob item = held.item;
    for (PartitionQueueEntry entry :
        item.reserved == null ? List.<PartitionQueueEntry>of() : List.copyOf(item.entries)) {
      if (item.started != number && entry.lane.key.overdue()) {
        consider(entry);
      }
    }
  }

  private Next drop(JobEquivalenceClass lane, PendingVerdict verdict) {
    if (lane.key.overdue()) {
      overdue.forget(lane, opened);
    }
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
    opened = null;
    PendingVerdict shut = shut(lane);
    if (shut != null) {
      return drop(lane, shut);
    }
    if (job.spec().deadline() != null) {
      PendingVerdict late = JobReadiness.blockingVerdict(job, now);
      if (late != null) {
        plan.say(entry, late);
        return Next.JOB;
      }
    }
    if (job.het() != null) {
      if (isBehindOverdue(entry)) {
        return Next.BEHIND_OVERDUE;
      }
      hetJobs.consider(entry);
      return Next.JOB;
    }
    if (lane.key.overdue()) {
      if (overdue.isSettled(entry)) {
        booker.countOverdue(lane);
        plan.say(entry, overdue.said(entry, PRIORITY));
        return Next.JOB;
      }
      if (entry.item.reserved != null) {
        overdue.open(entry);
        opened = entry;
      }
    }
    return startWhatFits(entry);
  }

  /** What keeps the next task of an array waiting, null if nothing does. */
  private @Nullable PendingVerdict held(PartitionQueueEntry entry) {
    ArrayPart part = entry.item.job.array();
    return plan.tasks.throttled(part)
        ? PendingVerdict.of(PendingReason.ARRAY_LIMIT)
        : part instanceof ArrayPart.Waiting && plan.tasks.next(entry.item) == null
            ? PendingVerdict.of(PendingReason.DEPENDENCY)
            : null;
  }

  /** Starts a job, or tasks of an array, as long as they fit. */
  private Next startWhatFits(PartitionQueueEntry entry) {
    JobEquivalenceClass lane = entry.lane;
    while (entry.item.started != number) {
      PendingVerdict held = held(entry);
      if (held != null) {
        overdue.release(entry.item);
        plan.say(entry, held);
        return Next.JOB;
      }
      Integer task = plan.tasks.next(entry.item);
      List<License> licenses = plan.licenses(entry);
      if (licenses == null) {
        return drop(lane, PendingVerdict.of(PendingReason.LICENSES));
      }
      String over = plan.over(plan.limits == null ? null : entry.asked());
      if (over != null) {
        return drop(lane, PendingVerdict.of(over));
      }
      boolean late = lane.key.overdue();
      boolean overtakes = booker.anyWaits(lane) || !late && overdue.anyWaits(lane);
      if (overtakes && !late && plan.mayNotOvertake()) {
        return drop(lane, PRIORITY);
      }
      PlanBuilder.Fit fit = fit(lane);
      if (fit == null) {
        if (isBehindOverdue(entry)) {
          return Next.BEHIND_OVERDUE;
        }
        if (preempting != null && preempting.claims(plan, entry, task, licenses)) {
          continue;
        }
        return blocked(entry);
      }
      JobDemand demand = plan.demand(entry, fit.shares());
      over = plan.over(demand);
      if (over != null) {
        return drop(lane, PendingVerdict.of(over));
      }
      plan.count(demand);
      plan.take(licenses, lane);
      start(entry, task, fit, overtakes);
      plan.overtook += overtakes && !late ? 1 : 0;
    }
    return Next.JOB;
  }

  /** What a job of the lane would get now, and for how long; of what it prefers if that will do. */
  private PlanBuilder.@Nullable Fit fit(JobEquivalenceClass lane) {
    RequestClass preferred = lane.shape.preferred();
    PlanBuilder.Fit fit = preferred == null ? null : fit(lane, preferred);
    return fit == null ? fit(lane, lane.shape) : fit;
  }

  private PlanBuilder.@Nullable Fit fit(JobEquivalenceClass lane, RequestClass shape) {
    long seconds = lane.seconds(outlook.now());
    List<NodeShare> shares = place(shape, seconds);
    long least = lane.key.least();
    if (shares != null || least >= seconds || !options.backfill()) {
      return shares == null ? null : new PlanBuilder.Fit(shares, seconds);
    }
    shares = place(shape, least);
    return shares == null ? null : longest(shape, new PlanBuilder.Fit(shares, least), seconds);
  }

  /** The longest run in whole minutes that fits, of which the least is known to fit. */
  private PlanBuilder.Fit longest(RequestClass shape, PlanBuilder.Fit least, long seconds) {
    PlanBuilder.Fit fit = least;
    long beyond = Math.min(seconds, PlannerTime.NEVER - outlook.now());
    for (long low = 0, high = (beyond - least.seconds()) / 60; low < high; ) {
      long middle = (low + high + 1) / 2;
      List<NodeShare> shares = place(shape, least.seconds() + 60 * middle);
      if (shares == null) {
        high = middle - 1;
      } else {
        low = middle;
        fit = new PlanBuilder.Fit(shares, least.seconds() + 60 * middle);
      }
    }
    return fit;
  }

  private @Nullable List<NodeShare> place(RequestClass shape, long seconds) {
    if (opened == null && shape.isKnownToFail(outlook, number, seconds)) {
      return null;
    }
    if (!shape.mayFit()) {
      shape.fails(outlook, number, 0);
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
            plan.ranking(shape));
    if (shares == null) {
      shape.fails(outlook, number, seconds);
    }
    return shares;
  }

  private void start(
      PartitionQueueEntry entry, @Nullable Integer task, PlanBuilder.Fit fit, boolean overtakes) {
    outlook.hold(plan.holdings(entry, fit));
    overdue.starts(entry, fit);
    plan.propose(entry, task, fit, overtakes);
  }

  /** The job does not fit: says why, and keeps what it waits for from those behind it. */
  private Next blocked(PartitionQueueEntry entry) {
    JobEquivalenceClass lane = entry.lane;
    boolean behind = booker.anyWaits(lane);
    if (lane.key.overdue() && options.backfill()) {
      return overdue(entry, behind);
    }
    if (booker.isFull(lane) || !options.backfill() && behind) {
      return drop(lane, PRIORITY);
    }
    boolean named = !lane.shape.need().request().requiredNodes().isEmpty();
    PendingVerdict verdict = behind ? PRIORITY : obstacle(entry, named);
    if (!options.backfill()) {
      plan.close(entry, named);
    } else if (booker.isPassedOver(entry)
        || !reserve.mayReserve(entry.item.job, entry.partition, entry.priority())) {
      plan.say(entry, verdict);
      return Next.JOB;
    } else {
      PendingVerdict promised = booker.promise(entry, !behind, verdict);
      if (promised == null) {
        return drop(lane, PRIORITY);
      }
      verdict = promised;
    }
    booker.count(entry, !named);
    if (entry.isInTurn()) {
      inTurn.add(lane.line);
    }
    plan.say(entry, verdict);
    return Next.JOB;
  }

  /** The job has waited beyond its bound: a start is reserved for it. */
  private Next overdue(PartitionQueueEntry entry, boolean behind) {
    boolean named = !entry.lane.shape.need().request().requiredNodes().isEmpty();
    PendingVerdict verdict = behind ? PRIORITY : obstacle(entry, named);
    if (reserve.mayReserve(entry.item.job, entry.partition, entry.priority())) {
      if (overdue.isFull(entry)) {
        queue.settle(entry.lane, PRIORITY, number);
        return Next.LANE;
      }
      verdict = overdue.reserve(entry, verdict);
      booker.countOverdue(entry.lane);
      sayInOtherPartitions(entry);
    } else {
      overdue.refuse(entry);
    }
    plan.say(entry, verdict);
    return Next.JOB;
  }

  /** The start that is reserved for a job is the same in whichever partition it was found. */
  private void sayInOtherPartitions(PartitionQueueEntry entry) {
    for (PartitionQueueEntry other : entry.item.entries) {
      if (other.spoken == number && other.verdict != null && !other.equals(entry)) {
        plan.say(other, overdue.said(other, other.verdict));
      }
    }
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
}
