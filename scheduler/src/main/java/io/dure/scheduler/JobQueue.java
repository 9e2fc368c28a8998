package io.dure.scheduler;

import io.dure.model.collection.IntMap;
import io.dure.model.command.PendingReason;
import io.dure.model.command.PendingVerdict;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.model.request.JobSpec;
import io.dure.model.request.OversubscribeMode;
import io.dure.model.reservation.Reservation;
import io.dure.placement.AllocationLedger;
import io.dure.placement.gpus.GpuDemand;
import io.dure.placement.gpus.GpuNodeRanking;
import io.dure.rules.JobReadiness;
import io.dure.rules.PartitionRules;
import io.dure.rules.PlannerTime;
import io.dure.rules.ReservedNodes;
import io.dure.rules.SchedulerView;
import io.dure.rules.preemption.PreemptionEligibility;
import io.dure.rules.queueorder.QueueOrder;
import io.dure.rules.queueorder.RunTimeEstimates;
import io.dure.scheduler.timeline.RequestClass;
import io.dure.scheduler.timeline.RequestClasses;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The pending jobs in lanes, and what is said of each. It follows a queue from view to view, taking
 * time for what changed. One thread.
 */
final class JobQueue {
  private static final int NONE = -1;

  /** Jobs that are put where they stand by new scores in one pass. */
  private static final int MOST_PLACED = 1000;

  private final QueueOrder order;
  private final RunTimeEstimates unbound;
  private RunTimeEstimates estimates;
  private final RequestClasses shapes;
  private final boolean usersMatter;

  /** Whether limits of users and accounts hold, so that their jobs are not alike. */
  private final boolean limited;

  private final Map<String, PartitionConfig> partitions = new TreeMap<>();
  private final TreeMap<Integer, QueuedJob> items = new TreeMap<>();
  private final Map<JobEquivalenceClass.Key, JobEquivalenceClass> lanes = new LinkedHashMap<>();
  private final JobEquivalenceClass.Basis basis = new JobEquivalenceClass.Basis();
  private final PriorityQueue<JobWakeup> wakes = new PriorityQueue<>();

  /** Its settings, partitions and reservations are those of all views that it has followed. */
  private SchedulerView newest;

  private static final List<Way> OUTSIDE = List.of(new Way(null));
  private IntMap<Job> pending = IntMap.empty();
  private IntMap<PendingVerdict> verdicts = IntMap.empty();
  private QueueOrder.Scores scores;

  /** By QOS: jobs of a higher one are considered first, as others make room for them. */
  private Map<String, Integer> ranks;

  private long scored;

  /** The first job that still stands by earlier scores. */
  private int stale = NONE;

  /** Of the jobs that wait and run, and the pass that it was made in. */
  private @Nullable GpuNodeRanking ranking;

  private long rankedIn;
  private int entryNumber;
  private boolean ownUsers;

  /** In which reservation a job may run, null for in none. */
  private record Way(@Nullable Reservation own) {}

  /**
   * An empty queue.
   *
   * @param usersMatter whether users keep each other off nodes, so that their requests differ
   */
  JobQueue(
      SchedulerView view,
      PlannerOptions options,
      RequestClasses shapes,
      boolean usersMatter,
      Instant now) {
    newest = view;
    order = options.order();
    unbound = options.estimates();
    estimates = unbound.forView(view);
    this.shapes = shapes;
    this.usersMatter = usersMatter;
    limited = view.settings().priority().enforced().limits();
    view.partitions().forEach(partition -> partitions.put(partition.name(), partition));
    scores = order.scoresAt(view, now);
    scored = now.getEpochSecond();
    ranks = PreemptionEligibility.ranks(view.settings().preempt(), view.accounts());
  }

  /** Goes on to a later view, or a later time. */
  void follow(SchedulerView view, Instant now) {
    boolean others = view.accounts().version() != newest.accounts().version();
    newest = view;
    shapes.follow(view);
    estimates = unbound.forView(view);
    if (others) {
      ranks = PreemptionEligibility.ranks(view.settings().preempt(), view.accounts());
      score(view, now);
      refresh(now, Integer.MAX_VALUE);
    } else if (stale == NONE && now.getEpochSecond() - scored >= order.period()) {
      score(view, now);
    }
    refresh(now, MOST_PLACED);
    while (!wakes.isEmpty() && wakes.peek().second() <= now.getEpochSecond()) {
      QueuedJob item = items.get(wakes.poll().jobId());
      if (item != null) {
        item.wakes = QueuedJob.NEVER;
        place(item, now);
      }
    }
    pending.forEachDifference(view.pending(), id -> update(id, view.pending().get(id), now));
    pending = view.pending();
  }

  /** From now on jobs are to stand by other scores. */
  private void score(SchedulerView view, Instant now) {
    scores = order.scoresAt(view, now);
    scored = now.getEpochSecond();
    stale = 0;
  }

  /** Puts some more jobs where they stand by the newest scores. */
  private void refresh(Instant now, int most) {
    if (stale == NONE) {
      return;
    }
    int left = most;
    for (QueuedJob item : items.tailMap(stale).values()) {
      if (left-- == 0) {
        stale = item.job.id();
        return;
      }
      place(item, now);
    }
    stale = NONE;
  }

  /** Whether some jobs still stand by scores of a while ago, and a next pass goes on. */
  boolean isStale() {
    return stale != NONE;
  }

  /** When a job is to be looked at again by itself, null for none. */
  @Nullable Instant wakes() {
    JobWakeup next = wakes.peek();
    return next == null ? null : Instant.ofEpochSecond(next.second());
  }

  private void update(int id, @Nullable Job job, Instant now) {
    QueuedJob item = items.get(id);
    if (job == null) {
      if (item != null) {
        leave(item);
        items.remove(id);
        verdicts = verdicts.without(id);
      }
      return;
    }
    if (item == null) {
      item = new QueuedJob(job);
      items.put(id, item);
    }
    item.job = job;
    ownUsers |= job.spec().resources().sharing() == OversubscribeMode.USER;
    place(item, now);
  }

  /** Whether a job was seen that keeps other users off its nodes. */
  boolean sawOwnUser() {
    return ownUsers;
  }

  /** Puts a job into its lanes, unless it waits for something else than its turn. */
  private void place(QueuedJob item, Instant now) {
    if (!isReady(item, now)) {
      return;
    }
    if (staysInLanes(item)) {
      item.entries.forEach(this::move);
    } else {
      leave(item);
      enter(item);
    }
  }

  /** Puts an entry where it stands in its lane by its score. */
  private void move(PartitionQueueEntry entry) {
    if (scores.of(entry.item.job, entry.partition) != entry.score()) {
      entry.lane.entries.remove(entry);
      score(entry);
      entry.lane.entries.add(entry);
    }
  }

  private void score(PartitionQueueEntry entry) {
    Job job = entry.item.job;
    entry.score(scores.of(job, entry.partition), scores.isInTurn(job, entry.partition));
  }

  /** Whether a job waits for its turn; if for something else, it leaves its lanes. */
  private boolean isReady(QueuedJob item, Instant now) {
    Job job = item.job;
    PendingVerdict waits = JobReadiness.blockingVerdict(job, now);
    if (waits != null) {
      leave(item);
      if (waits.expectedStart() != null) {
        wake(item, PlannerTime.second(waits.expectedStart()));
      }
      say(item, waits);
      return false;
    }
    Instant until = JobReadiness.switchesUntil(job, newest.settings());
    item.request = job.spec().resources();
    if (until != null && until.isAfter(now)) {
      wake(item, PlannerTime.second(until));
    } else if (until != null) {
      item.request = item.request.with(item.request.reach().over(null, null));
    }
    return true;
  }

  /** A job is looked at again by itself then. */
  private void wake(QueuedJob item, long second) {
    if (item.wakes != second) {
      item.wakes = second;
      wakes.add(new JobWakeup(second, item.job.id()));
    }
  }

  /** Whether only the score may be another one than when it entered its lanes. */
  private boolean staysInLanes(QueuedJob item) {
    JobSpec spec = item.job.spec();
    QueuedJob.EquivalenceBasis footing = item.footing;
    boolean known =
        footing != null && footing.isOf(item.job, item.request, newest.accounts().version());
    List<Way> ways = ways(item.job);
    if (item.entries.size() != spec.partitions().size() * ways.size()) {
      return false;
    }
    for (int i = 0; i < item.entries.size(); i++) {
      PartitionQueueEntry entry = item.entries.get(i);
      long seconds = seconds(item.job, entry.partition);
      Way way = ways.get(i % ways.size());
      boolean same =
          known
              ? entry.lane.isOf(seconds, scores.isOverdue(item.job), way.own())
              : entry.lane.key.equals(key(item, entry.partition, seconds, way));
      boolean there = entry.partition.name().equals(spec.partitions().get(i / ways.size()));
      if (!there || !same || !entry.stands(item.job)) {
        return false;
      }
    }
    return true;
  }

  /**
   * How long a job is planned for. Where something is reserved, and for an overdue job, that is its
   * limit: what starts before a reservation has to be over by then.
   */
  private long seconds(Job job, PartitionConfig partition) {
    return newest.reservations().isEmpty() && !scores.isOverdue(job)
        ? estimates.seconds(job, partition)
        : RunTimeEstimates.LIMITS.seconds(job, partition);
  }

  /** The reservations that a job may run in, and outside of them if it named none. */
  private List<Way> ways(Job job) {
    boolean names = !job.spec().reservations().isEmpty();
    if (newest.reservations().isEmpty() && !names) {
      return OUTSIDE;
    }
    List<Way> ways = new ArrayList<>();
    for (Reservation its : ReservedNodes.of(newest.reservations(), job)) {
      ways.add(new Way(its));
    }
    if (!names) {
      ways.addAll(OUTSIDE);
    }
    return ways;
  }

  private void enter(QueuedJob item) {
    item.footing =
        new QueuedJob.EquivalenceBasis(
            item.job.spec(), item.request, item.job.owner().uid(), newest.accounts().version());
    item.verdict = null;
    List<Way> ways = ways(item.job);
    for (String name : item.job.spec().partitions()) {
      PartitionConfig partition = partitions.get(name);
      if (partition != null) {
        for (Way way : ways) {
          if (way.own() == null || way.own().access().permitsPartition(name)) {
            enter(item, partition, way);
          }
        }
      }
    }
    if (item.entries.isEmpty()) {
      say(
          item,
          PendingVerdict.of(
              ways.isEmpty() ? PendingReason.RESERVATION : PendingReason.PARTITION_CONFIG));
    } else {
      verdicts = verdicts.without(item.job.id());
    }
  }

  private void enter(QueuedJob item, PartitionConfig partition, Way way) {
    long seconds = seconds(item.job, partition);
    JobEquivalenceClass lane = lane(item, partition, seconds, way);
    PartitionQueueEntry entry = new PartitionQueueEntry(item, partition, lane, entryNumber++);
    score(entry);
    lane.entries.add(entry);
    lane.odd.add(entry);
    item.entries.add(entry);
  }

  private void leave(QueuedJob item) {
    for (PartitionQueueEntry entry : item.entries) {
      entry.lane.entries.remove(entry);
      entry.lane.odd.remove(entry);
      if (entry.lane.entries.isEmpty()) {
        lanes.remove(entry.lane.key);
      }
    }
    item.entries.clear();
  }

  private JobEquivalenceClass.Key key(
      QueuedJob item, PartitionConfig partition, long seconds, Way way) {
    JobSpec spec = item.job.spec();
    boolean ownUser = spec.resources().sharing() == OversubscribeMode.USER;
    int uid = usersMatter || limited || ownUser ? item.job.owner().uid() : -1;
    long limit = RunTimeEstimates.LIMITS.seconds(item.job, partition);
    return new JobEquivalenceClass.Key(
        partition.name(),
        item.request,
        seconds,
        limit,
        scores.isOverdue(item.job),
        spec.timeMin() == null ? limit : Math.min(seconds, PlannerTime.seconds(spec.timeMin())),
        uid,
        spec.account(),
        spec.qos(),
        way.own() == null ? null : way.own().name(),
        PartitionRules.exemptions(newest.accounts(), spec),
        ranks.isEmpty() || spec.qos() == null ? 0 : ranks.getOrDefault(spec.qos(), 0),
        partition.access().requiresReservation() && !spec.reservations().isEmpty());
  }

  /** What jobs score. */
  QueueOrder.Scores scores() {
    return scores;
  }

  /** Plans lanes by limits whatever is expected of their jobs, as in an overloaded cluster. */
  void planByLimits(boolean limits) {
    basis.limits = limits || scores.isOverloaded();
  }

  private JobEquivalenceClass lane(
      QueuedJob item, PartitionConfig partition, long seconds, Way way) {
    Job job = item.job;
    JobEquivalenceClass.Key key = key(item, partition, seconds, way);
    return lanes.computeIfAbsent(
        key,
        _ -> {
          String rule = PartitionRules.closedReason(partition);
          if (rule == null) {
            rule =
                PartitionRules.refusalReason(
                    newest.settings(), key.freedoms(), partition, job.spec());
          }
          boolean ownUser = job.spec().resources().sharing() == OversubscribeMode.USER;
          int uid = usersMatter || ownUser ? key.uid() : -1;
          PartitionConfig bounds = PartitionRules.freed(partition, key.freedoms());
          RequestClass shape = shapes.of(bounds, item.request, uid, way.own());
          return new JobEquivalenceClass(key, partition, shape, way.own(), rule, basis);
        });
  }

  /** The lanes that have jobs, in no particular order. */
  List<JobEquivalenceClass> lanes() {
    return new ArrayList<>(lanes.values());
  }

  /**
   * By what a node's GPUs are ranked for a job that starts now, null for weights alone.
   *
   * @param pass the number of the pass, in which it stays the same
   */
  @Nullable GpuNodeRanking ranking(RequestClass shape, AllocationLedger ledger, long pass) {
    if (shape.need().gres() == null || !newest.settings().scheduling().ownGpuPlacement()) {
      return null;
    }
    GpuNodeRanking known = ranking;
    if (known == null || rankedIn != pass) {
      GpuDemand demand = ledger.demand().copy();
      lanes.forEach((key, lane) -> demand.add(key.request(), lane.entries.size()));
      known = new GpuNodeRanking(demand, ledger.gpuNodes());
      ranking = known;
      rankedIn = pass;
    }
    return known;
  }

  /** Says something of a job in one of its partitions; what is closest to a start stays. */
  void say(PartitionQueueEntry entry, PendingVerdict verdict) {
    if (!verdict.equals(entry.lane.settled)) {
      entry.lane.odd.add(entry);
    }
    if (verdict.equals(entry.verdict)) {
      return;
    }
    entry.verdict = verdict;
    PendingVerdict best = null;
    for (PartitionQueueEntry other : entry.item.entries) {
      PendingVerdict said = other.verdict;
      if (said != null
          && (best == null
              || PendingReason.distance(said.reason()) < PendingReason.distance(best.reason()))) {
        best = said;
      }
    }
    if (best != null) {
      say(entry.item, best);
    }
  }

  private void say(QueuedJob item, PendingVerdict verdict) {
    if (!verdict.equals(item.verdict)) {
      item.verdict = verdict;
      verdicts = verdicts.with(item.job.id(), verdict);
    }
  }

  /** The same is said of all jobs of a lane of which the pass has said nothing of their own. */
  void settle(JobEquivalenceClass lane, PendingVerdict verdict, long pass) {
    if (!verdict.equals(lane.settled)) {
      lane.settled = verdict;
      List<PartitionQueueEntry> others = List.copyOf(lane.odd);
      lane.odd.clear();
      for (PartitionQueueEntry entry : others) {
        if (entry.hasItsOwn(pass)) {
          lane.odd.add(entry);
        }
      }
      for (PartitionQueueEntry entry : lane.entries) {
        if (!entry.hasItsOwn(pass)) {
          say(entry, verdict);
        }
      }
      return;
    }
    for (PartitionQueueEntry entry : List.copyOf(lane.odd)) {
      if (!entry.hasItsOwn(pass)) {
        say(entry, verdict);
        lane.odd.remove(entry);
      }
    }
  }

  /** Nothing is said any more of a job that starts. */
  void starts(QueuedJob item) {
    verdicts = verdicts.without(item.job.id());
    item.verdict = null;
    for (PartitionQueueEntry entry : item.entries) {
      entry.verdict = null;
      entry.lane.odd.add(entry);
    }
  }

  /** The record of that id, null if it does not wait. */
  @Nullable QueuedJob item(int jobId) {
    return items.get(jobId);
  }

  /** What is said of each job, by id. */
  IntMap<PendingVerdict> verdicts() {
    return verdicts;
  }
}
