package io.dure.scheduler;

import io.dure.model.command.PendingReason;
import io.dure.model.command.PendingVerdict;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.rules.PlannerTime;
import io.dure.rules.queueorder.QueueOrder;
import io.dure.scheduler.timeline.EarliestStartSearch;
import io.dure.scheduler.timeline.PlanningTimeline;
import io.dure.scheduler.timeline.ShadowReservation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The starts that are reserved for jobs that have waited beyond their bounds. Such a job keeps its
 * reservation from pass to pass until it has left the queue, or until an earlier start is found for
 * it beside those of all others. Everything that starts meanwhile is planned by its limit, so none
 * of the reservations is ever moved to a later time by a job that starts, and a job that runs to
 * its limit delays none. One that does not hold any more (a node is lost, a job has run beyond its
 * limit) is made anew beside the others. Used in one pass, by one thread.
 */
final class OverdueReservations {
  /**
   * So many of the first look for an earlier start in each pass. The others start earlier if they
   * fit at once; that what is reserved for them stays where it is leaves room for short jobs.
   */
  private static final int MOST_MOVED = 1;

  /** So many are looked at in each pass in which anything is free that was not. */
  private static final int MOST_LOOKED_AT = 500;

  /** So many hold a start at a time; those behind get theirs when others have started. */
  private static final int MOST_RESERVED = 1000;

  /** So many of the first may take an earlier start from those behind them. */
  private static final int MOST_BROUGHT = 2;

  /** Of so many of the first, those behind give theirs to one before them. */
  private static final int MOST_YIELDING = 100;

  /** So many earlier starts of each of these are tried. */
  private static final int MOST_TRIED = 20;

  /** The next that is tried is by that part of what is left nearer to the start that is held. */
  private static final int STEPS = 8;

  /** And at least so many seconds. */
  private static final long LEAST_STEP = 60;

  /** After so many looks at nodes no other is tried. */
  private static final long MOST_LOOKS = 100_000;

  /** So many get their first start in each pass. */
  private static final int MOST_ADDED = 100;

  private final PlanningTimeline outlook;
  private final BackfillReserver booker;

  private final QueueOrder.Scores scores;

  /** The jobs for which a start is reserved, from pass to pass. */
  private final SequencedSet<QueuedJob> holders;

  /** Those for which the first start was reserved in this pass. */
  private final Set<QueuedJob> added = new LinkedHashSet<>();

  /** Those that this pass starts. */
  private final Set<QueuedJob> started = new LinkedHashSet<>();

  /** Lanes of jobs for which there is no start: what holds their nodes has no limit. */
  private final Set<JobEquivalenceClass> vain = new LinkedHashSet<>();

  private final List<PartitionQueueEntry> due = new ArrayList<>();
  private final PriorityQueue<PartitionQueueEntry> later = new PriorityQueue<>();

  /** What those wait for that held a start when the pass began and have not started. */
  private final Map<QueuedJob, String> lineOf = new LinkedHashMap<>();

  private final TreeMap<String, Integer> lines = new TreeMap<>();

  private final TreeMap<Integer, Long> made = new TreeMap<>();
  private long first = PlannerTime.NEVER;
  private int looked;

  /** The last that was looked at: a job of several partitions counts once. */
  private @Nullable QueuedJob lastOpened;

  private int brought;

  /**
   * Those of a pass.
   *
   * @param holders the jobs for which the passes before reserved a start; changed in place
   * @param scores say from when on a start is reserved for a job
   * @param freed whether anything has become free since the pass before, so that a job may start
   *     earlier than it was to
   */
  OverdueReservations(
      PlanningTimeline outlook,
      BackfillReserver booker,
      SequencedSet<QueuedJob> holders,
      QueueOrder.Scores scores,
      boolean freed) {
    this.outlook = outlook;
    this.booker = booker;
    this.holders = holders;
    this.scores = scores;
    looked = freed ? 0 : MOST_LOOKED_AT;
  }

  /**
   * Keeps what is reserved from everything that is looked at after this, and gives up what does not
   * hold any more: the job has left the queue, asks for something else, or finds its nodes taken.
   *
   * @return whether any job is overdue
   */
  boolean keep(JobQueue queue) {
    for (QueuedJob item : List.copyOf(holders)) {
      boolean waits = item.equals(queue.item(item.job.id()));
      PartitionQueueEntry entry = waits ? holding(item) : null;
      ShadowReservation reserved = item.reserved;
      if (entry != null && reserved != null) {
        reserved = current(entry, reserved);
        if (reserved.seconds() == entry.lane.key.limit() && reserved.holds(outlook)) {
          item.reserved = reserved;
          reserved.keep(outlook);
          lineOf.put(item, entry.lane.line);
          lines.merge(entry.lane.line, 1, Integer::sum);
          await(reserved.start());
          (reserved.start() <= outlook.now() ? due : later).add(front(item));
          continue;
        }
      }
      release(item);
    }
    return queue.lanes().stream().anyMatch(lane -> lane.key.overdue());
  }

  /** The entry of a job that its reservation is for, null if there is none any more. */
  private static @Nullable PartitionQueueEntry holding(QueuedJob item) {
    ShadowReservation reserved = item.reserved;
    for (PartitionQueueEntry entry : item.entries) {
      if (reserved != null && entry.lane.key.overdue() && entry.lane.shape == reserved.shape()) {
        return entry;
      }
    }
    return null;
  }

  /** The entry of an overdue job that comes first: that of its highest tier. */
  private static PartitionQueueEntry front(QueuedJob item) {
    return item.entries.stream()
        .filter(entry -> entry.lane.key.overdue())
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }

  /** The same from now on, if its time has come and the job has not started. */
  private ShadowReservation current(PartitionQueueEntry entry, ShadowReservation reserved) {
    return reserved.start() >= outlook.now()
        ? reserved
        : booker.booking(
            entry,
            new EarliestStartSearch.EarliestFit(
                outlook.now(), reserved.holdings().stream().map(one -> one.share()).toList()),
            reserved.verdict());
  }

  /** The plan is made again at that second at the latest. */
  private void await(long start) {
    if (start > outlook.now()) {
      first = Math.min(first, start);
    }
  }

  /** The jobs whose time has come, in the order in which their starts were reserved. */
  List<PartitionQueueEntry> due() {
    return due;
  }

  /** The next of the jobs that hold a later start, null if all have been polled. */
  @Nullable PartitionQueueEntry peek() {
    return later.peek();
  }

  /** Takes the next of the jobs that hold a later start. */
  @Nullable PartitionQueueEntry poll() {
    return later.poll();
  }

  /**
   * One of the first jobs that hold a later start takes an earlier one, from those of the first
   * behind it as well, as long as each of them gets a start no later than the one that was first
   * reserved for it. To be called for each job that is polled, in their order.
   */
  void bringForward(PartitionQueueEntry front) {
    ShadowReservation held = front.item.reserved;
    if (++brought > MOST_BROUGHT
        || held == null
        || held.start() <= outlook.now()
        || looked >= MOST_LOOKED_AT) {
      return;
    }
    List<PartitionQueueEntry> entries = new ArrayList<>();
    entries.add(held(front.item));
    later.stream()
        .filter(entry -> entry.item.reserved != null)
        .sorted()
        .limit(MOST_YIELDING - brought)
        .forEach(entry -> entries.add(held(entry.item)));
    List<ShadowReservation> before = entries.stream().map(OverdueReservations::known).toList();
    before.forEach(one -> one.withdraw(outlook));
    List<ShadowReservation> after = earlier(entries, held.start());
    if (after.isEmpty()) {
      before.forEach(one -> one.keep(outlook));
    }
    for (int i = 0; i < after.size(); i++) {
      take(entries.get(i), after.get(i));
    }
  }

  /**
   * An earlier start of the first of some at which the others can be arranged around it. Starts are
   * tried from the earliest on, at ever shorter distances towards the one that it held.
   *
   * @return what is kept for each, empty where there is none
   */
  private List<ShadowReservation> earlier(List<PartitionQueueEntry> entries, long held) {
    PartitionQueueEntry head = entries.getFirst();
    List<PartitionQueueEntry> behind = entries.subList(1, entries.size());
    long from = 0;
    long most = outlook.looks() + MOST_LOOKS;
    for (int i = 0; i < MOST_TRIED && outlook.looks() < most; i++) {
      EarliestStartSearch.EarliestFit found = search(head, from, held - 1);
      if (found == null) {
        break;
      }
      List<ShadowReservation> after = new ArrayList<>();
      if (arranged(head, found, behind, after)) {
        return after;
      }
      after.forEach(one -> one.withdraw(outlook));
      from = found.start() + Math.max(LEAST_STEP, (held - found.start()) / STEPS);
    }
    return List.of();
  }

  /**
   * Arranges the starts of those behind around an earlier one of the first.
   *
   * @param after gets what is kept for the first and those behind, as far as it comes
   * @return false if one of them would start too late
   */
  private boolean arranged(
      PartitionQueueEntry head,
      EarliestStartSearch.EarliestFit found,
      List<PartitionQueueEntry> behind,
      List<ShadowReservation> after) {
    ShadowReservation first = booker.booking(head, found, known(head).verdict());
    first.keep(outlook);
    after.add(first);
    for (PartitionQueueEntry entry : behind) {
      ShadowReservation its = known(entry);
      if (!its.holds(outlook)) {
        EarliestStartSearch.EarliestFit other = search(entry, 0, entry.item.latestStart);
        if (other == null) {
          return false;
        }
        its = booker.booking(entry, other, its.verdict());
      }
      its.keep(outlook);
      after.add(its);
    }
    return true;
  }

  /** The entry of a job that its reservation is for, in whatever tier. */
  private static PartitionQueueEntry held(QueuedJob item) {
    return Objects.requireNonNull(holding(item));
  }

  private static ShadowReservation known(PartitionQueueEntry entry) {
    return Objects.requireNonNull(entry.item.reserved);
  }

  private void take(PartitionQueueEntry entry, ShadowReservation next) {
    if (next.start() < known(entry).start()) {
      made.put(entry.item.job.id(), next.start());
    }
    entry.item.reserved = next;
    await(next.start());
  }

  /** Whether a start was reserved for a job before this pass: it is looked at apart. */
  boolean isKept(PartitionQueueEntry entry) {
    return entry.item.reserved != null && !added.contains(entry.item);
  }

  /** Whether a job that holds a start waits for the same nodes. */
  boolean anyWaits(JobEquivalenceClass lane) {
    return lines.containsKey(lane.line);
  }

  /** Whether a job has to be content with what is reserved for it in this pass. */
  boolean isSettled(PartitionQueueEntry entry) {
    ShadowReservation reserved = entry.item.reserved;
    return reserved != null
        && reserved.start() > outlook.now()
        && looked >= MOST_LOOKED_AT
        && isKept(entry);
  }

  /** Whether no start is reserved in this pass for a job that has none, nor for those behind it. */
  boolean isFull(PartitionQueueEntry entry) {
    if (entry.item.reserved != null) {
      return false;
    }
    boolean isLeft = holders.size() < MOST_RESERVED && added.size() < MOST_ADDED;
    if (!isLeft && holders.size() < MOST_RESERVED) {
      booker.owe();
    }
    return !isLeft || vain.contains(entry.lane);
  }

  /** The job is looked at: what is reserved for it keeps no nodes from it. */
  void open(PartitionQueueEntry entry) {
    ShadowReservation reserved = entry.item.reserved;
    if (reserved != null) {
      looked += isKept(entry) && !entry.item.equals(lastOpened) ? 1 : 0;
      lastOpened = entry.item;
      reserved.withdraw(outlook);
    }
  }

  /** Nothing is reserved any more for a job, of which the plan keeps nothing. */
  void release(QueuedJob item) {
    waitsNoMore(item);
    item.reserved = null;
    holders.remove(item);
  }

  private void waitsNoMore(QueuedJob item) {
    String line = lineOf.remove(item);
    if (line != null) {
      lines.computeIfPresent(line, (_, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Nothing may be reserved for a job in a partition: what is in another one stays. */
  void refuse(PartitionQueueEntry entry) {
    ShadowReservation reserved = entry.item.reserved;
    if (reserved != null && reserved.shape() != entry.lane.shape) {
      reserved.keep(outlook);
    } else {
      release(entry.item);
    }
  }

  /** Nothing is reserved any more for jobs of a lane, which wait for something else. */
  void forget(JobEquivalenceClass lane, @Nullable PartitionQueueEntry opened) {
    for (QueuedJob item : List.copyOf(holders)) {
      ShadowReservation reserved = item.reserved;
      PartitionQueueEntry entry = holding(item);
      boolean its = entry != null && entry.lane.equals(lane) && !started.contains(item);
      if (reserved != null && its) {
        if (opened == null || !item.equals(opened.item)) {
          reserved.withdraw(outlook);
        }
        release(item);
      }
    }
    if (opened != null && opened.item.reserved != null) {
      opened.item.reserved.keep(outlook);
    }
  }

  /**
   * The job does not start: it keeps what is reserved for it, or gets an earlier start.
   *
   * @return what is said of it
   */
  PendingVerdict reserve(PartitionQueueEntry entry, PendingVerdict verdict) {
    QueuedJob item = entry.item;
    if (item.reserved != null && item.reserved.start() <= outlook.now()) {
      // Its time has come and it does not fit: what closes its nodes was not seen to.
      release(item);
    }
    if (!isKept(entry) || looked <= MOST_MOVED) {
      // At no time: there a run without a limit ends.
      long known = item.reserved == null ? PlannerTime.NEVER : item.reserved.start();
      EarliestStartSearch.EarliestFit found =
          isKept(entry) ? search(entry, 0, known - 1) : first(entry, known - 1);
      if (found != null) {
        made.put(item.job.id(), found.start());
        if (!isKept(entry)) {
          item.latestStart = found.start();
          added.add(item);
          holders.add(item);
        }
        item.reserved = booker.booking(entry, found, verdict);
        await(found.start());
      } else if (item.reserved == null) {
        vain.add(entry.lane);
      }
    }
    if (item.reserved != null) {
      item.reserved.keep(outlook);
    }
    return said(entry, verdict);
  }

  /**
   * The start that is reserved first for a job, the earliest of all its partitions. A job that has
   * to be over by some time has the earliest start, and so has a job for nodes that are reserved in
   * advance.
   */
  private EarliestStartSearch.@Nullable EarliestFit first(PartitionQueueEntry entry, long last) {
    Job job = entry.item.job;
    boolean anyTime = job.spec().deadline() == null && entry.lane.shape.doors() == null;
    long from = anyTime ? scores.earliestReserved(job) : 0;
    EarliestStartSearch.EarliestFit found = search(entry, from, last);
    boolean earlier = found == null && entry.item.reserved == null && from > outlook.now();
    return earlier ? search(entry, 0, last) : found;
  }

  /** The earliest start between the first and the last one that is of interest. */
  private EarliestStartSearch.@Nullable EarliestFit search(
      PartitionQueueEntry entry, long from, long last) {
    if (last < outlook.now()) {
      return null;
    }
    long looks = outlook.looks();
    EarliestStartSearch.EarliestFit found =
        EarliestStartSearch.find(
            outlook, entry.lane.shape, entry.lane.seconds(), Math.max(from, outlook.now()), last);
    booker.spend(outlook.looks() - looks, true);
    return found;
  }

  /**
   * The plan starts the job. It holds its start until it has left the queue, since a start may be
   * put off or dropped after the plan is made; the tasks of an array do not.
   */
  void starts(PartitionQueueEntry entry, PlanBuilder.Fit fit) {
    if (!entry.lane.key.overdue() || entry.item.job.array() instanceof ArrayPart.Waiting) {
      release(entry.item);
      return;
    }
    PendingVerdict verdict =
        entry.verdict == null ? PendingVerdict.of(PendingReason.PRIORITY) : entry.verdict;
    entry.item.reserved =
        booker.booking(
            entry, new EarliestStartSearch.EarliestFit(outlook.now(), fit.shares()), verdict);
    holders.add(entry.item);
    started.add(entry.item);
    waitsNoMore(entry.item);
  }

  /** What is said of a job for which a start is reserved. */
  PendingVerdict said(PartitionQueueEntry entry, PendingVerdict verdict) {
    ShadowReservation reserved = entry.item.reserved;
    return reserved == null
        ? verdict
        : new PendingVerdict(
            verdict.reason(),
            reserved.verdict().expectedStart(),
            reserved.verdict().plannedNodes());
  }

  /**
   * When the next plan is to be made at the latest: when a reserved start comes.
   *
   * @param other when it is to be made for another reason, null for none
   */
  @Nullable Instant wakes(@Nullable Instant other) {
    Instant next = first == PlannerTime.NEVER ? null : PlannerTime.instant(first);
    return next == null || other != null && other.isBefore(next) ? other : next;
  }

  /** The starts that were reserved in this pass, or moved to an earlier time, by job id. */
  Map<Integer, Long> made() {
    return made;
  }
}
