package io.dure.scheduler;

import io.dure.model.command.PendingVerdict;
import io.dure.model.config.backfill.BackfillSettings;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.placement.NodeAllocation;
import io.dure.rules.PlannerTime;
import io.dure.scheduler.timeline.CommonStartSearch;
import io.dure.scheduler.timeline.EarliestStartSearch;
import io.dure.scheduler.timeline.PlanningTimeline;
import io.dure.scheduler.timeline.RequestClass;
import io.dure.scheduler.timeline.ShadowReservation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The promises of one pass: to which jobs that have to wait, when and where. */
final class BackfillReserver {
  private final BackfillSettings rules;
  private final PlanningTimeline outlook;
  private final ReservationRefreshRound round;
  private final long pass;

  /** What searches for others than the first may cost whatever those for the first have. */
  private final long least;

  /** How many jobs wait with a promise, or in front of a closed door, by what they wait for. */
  private final TreeMap<String, Integer> ofLine = new TreeMap<>();

  /** How many are promised a start beside the first ones. */
  private final TreeMap<String, Integer> more = new TreeMap<>();

  private final TreeMap<Integer, Integer> ofUser = new TreeMap<>();
  private final TreeMap<String, Integer> ofUserInLine = new TreeMap<>();
  private final TreeMap<String, Integer> ofAccount = new TreeMap<>();

  /** Whether all promises are made anew. */
  private final boolean anew;

  private long effort;
  private int booked;

  BackfillReserver(
      PlannerOptions options,
      PlanningTimeline outlook,
      ReservationRefreshRound round,
      long pass,
      int pending) {
    this.rules = options.promises();
    this.outlook = outlook;
    this.round = round;
    this.pass = pass;
    least = Math.max(1, options.effort() / 4);
    long jobs = Math.min(rules.jobs(), pending);
    anew = options.effort() / Math.max(1, outlook.ledger().slots().size()) >= jobs;
    effort = anew ? Long.MAX_VALUE : options.effort();
    round.begin(outlook.now());
  }

  /** Whether a job of the lane would start ahead of one that waits for the same nodes. */
  boolean anyWaits(JobEquivalenceClass lane) {
    return ofLine.containsKey(lane.line);
  }

  /** Whether no job of the lane is promised anything any more. */
  boolean isFull(JobEquivalenceClass lane) {
    int most = rules.jobsOfPartition();
    return booked >= rules.jobs()
        || isOver(ofLine.get(lane.line), most == 0 ? 0 : most + more.getOrDefault(lane.line, 0));
  }

  /** One more of the jobs that wait for the nodes of the lane is promised a start. */
  void admit(JobEquivalenceClass lane) {
    more.merge(lane.line, 1, Integer::sum);
  }

  private static boolean isOver(@Nullable Integer count, int bound) {
    return bound > 0 && count != null && count >= bound;
  }

  /** Whether no start is reserved for a job. */
  boolean isPassedOver(PartitionQueueEntry entry) {
    Job job = entry.item.job;
    return !rules.leastAge().isZero()
            && outlook.now() - PlannerTime.second(job.submitTime()) < rules.leastAge().toSeconds()
        || entry.priority() < rules.leastPriority()
        || isOver(ofUser.get(job.owner().uid()), rules.jobsOfUser())
        || isOver(ofUserInLine.get(userInLine(entry)), rules.jobsOfUserInPartition())
        || isOver(ofAccount.get(account(job)), rules.jobsOfAccount())
        || rules.onePartition() && entry.item.promisedIn == pass;
  }

  private static String userInLine(PartitionQueueEntry entry) {
    return entry.item.job.owner().uid() + " " + entry.lane.line;
  }

  private static String account(Job job) {
    String account = job.spec().account();
    return account == null ? "" : account;
  }

  /** One more is overdue: its promise takes none from the first ones that are not. */
  void countOverdue(JobEquivalenceClass lane) {
    ofLine.merge(lane.line, 1, Integer::sum);
    admit(lane);
  }

  /** One more waits. */
  void count(PartitionQueueEntry entry, boolean forAll) {
    booked++;
    Job job = entry.item.job;
    if (forAll) {
      ofLine.merge(entry.lane.line, 1, Integer::sum);
    }
    ofUser.merge(job.owner().uid(), 1, Integer::sum);
    if (rules.jobsOfUserInPartition() > 0) {
      ofUserInLine.merge(userInLine(entry), 1, Integer::sum);
    }
    ofAccount.merge(account(job), 1, Integer::sum);
  }

  /**
   * Promises a job, or as many tasks as may be of an array, the earliest start.
   *
   * @param first whether it is the first that waits for its nodes, whose promise is always new
   * @param verdict what is said of it otherwise
   * @return what is said of it, null if there is no time to look for a start in this pass
   */
  @Nullable PendingVerdict promise(
      PartitionQueueEntry entry, boolean first, PendingVerdict verdict) {
    List<ShadowReservation> kept = first || anew ? List.of() : kept(entry);
    boolean known = !first && !anew && (entry.vain || !kept.isEmpty());
    boolean due = round.reaches(entry);
    if (effort <= 0 && !first && !known) {
      round.owe();
      return null;
    }
    forget(entry);
    if (known && (!due || effort <= 0)) {
      if (due) {
        round.deny();
      }
      return keep(entry, kept, verdict);
    }
    if (due) {
      round.renewed(entry);
    }
    return find(entry, first, verdict);
  }

  /** There was no time to look for a start for a job; a next pass goes on. */
  void owe() {
    round.owe();
  }

  /** A search has cost so many looks. */
  void spend(long looks, boolean first) {
    effort = first ? Math.max(Math.min(effort, least), effort - looks) : effort - looks;
  }

  /** What was promised to it in this partition. */
  private void forget(PartitionQueueEntry entry) {
    entry.item.bookings.removeIf(
        booking -> booking.shape() == entry.lane.shape || booking.start() <= outlook.now());
    entry.item.promisedIn = pass;
  }

  /**
   * Promises all components of a heterogeneous job the earliest start that they have in common.
   *
   * @param first whether it is the first that waits for its nodes
   * @param verdict what is said of them otherwise
   * @return what is said of each, null if there is no time to look for a start in this pass
   */
  @Nullable List<PendingVerdict> promise(
      List<PartitionQueueEntry> components, boolean first, PendingVerdict verdict) {
    if (!first && !anew) {
      boolean due = round.reaches(components.getLast());
      List<PendingVerdict> kept = due && effort > 0 ? null : keep(components, verdict);
      if (due && effort <= 0) {
        round.deny();
      }
      if (kept != null) {
        return kept;
      }
      if (effort <= 0) {
        round.owe();
        return null;
      }
      if (due) {
        round.renewed(components.getLast());
      }
    }
    components.forEach(this::forget);
    long looks = outlook.looks();
    List<EarliestStartSearch.EarliestFit> found =
        CommonStartSearch.promise(
            outlook, components.stream().map(Component::new).toList(), last());
    spend(outlook.looks() - looks, first);
    components.getLast().vain = found == null;
    if (found == null) {
      return Collections.nCopies(components.size(), verdict);
    }
    List<PendingVerdict> said = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      ShadowReservation booking = booking(components.get(i), found.get(i), verdict);
      components.get(i).item.bookings.add(booking);
      said.add(booking.verdict());
    }
    return said;
  }

  /** What was promised to all components before, null if not all of it holds. */
  private @Nullable List<PendingVerdict> keep(
      List<PartitionQueueEntry> components, PendingVerdict verdict) {
    List<List<ShadowReservation>> kept = components.stream().map(this::kept).toList();
    if (kept.stream().anyMatch(List::isEmpty)) {
      return components.getLast().vain ? Collections.nCopies(components.size(), verdict) : null;
    }
    List<PendingVerdict> said = new ArrayList<>();
    for (int i = 0; i < kept.size(); i++) {
      QueuedJob item = components.get(i).item;
      ShadowReservation booking = with(kept.get(i).getFirst(), verdict);
      forget(components.get(i));
      item.bookings.add(booking);
      booking.keep(outlook);
      said.add(booking.verdict());
    }
    return said;
  }

  /** A component of a heterogeneous job that waits. */
  private final class Component implements CommonStartSearch.Part {
    private final PartitionQueueEntry entry;

    Component(PartitionQueueEntry entry) {
      this.entry = entry;
    }

    @Override
    public RequestClass shape() {
      return entry.lane.shape;
    }

    @Override
    public long seconds() {
      return entry.lane.seconds();
    }

    @Override
    public NodeAllocation holding(NodeShare share, long start) {
      return entry.holding(outlook.ledger(), share, entry.end(start));
    }
  }

  private PendingVerdict keep(
      PartitionQueueEntry entry, List<ShadowReservation> kept, PendingVerdict verdict) {
    PendingVerdict said = verdict;
    for (int i = 0; i < kept.size(); i++) {
      // Two tasks may each fit where both do not.
      if (i == 0 || holds(kept.get(i))) {
        ShadowReservation booking = with(kept.get(i), verdict);
        keep(entry, booking);
        said = i == 0 ? booking.verdict() : said;
      }
    }
    return said;
  }

  private static ShadowReservation with(ShadowReservation old, PendingVerdict said) {
    if (old.verdict().reason().equals(said.reason())) {
      return old;
    }
    PendingVerdict verdict =
        new PendingVerdict(
            said.reason(), old.verdict().expectedStart(), old.verdict().plannedNodes());
    return new ShadowReservation(
        old.shape(), old.start(), old.seconds(), old.holdings(), verdict, old.footing());
  }

  private PendingVerdict find(PartitionQueueEntry entry, boolean first, PendingVerdict verdict) {
    long last = last();
    JobEquivalenceClass lane = entry.lane;
    PendingVerdict said = verdict;
    entry.vain = true;
    for (int task = 0; task < tasks(entry.item); task++) {
      long from = lane.promisedIn == pass ? lane.promised : outlook.now();
      if (from > last) {
        return said;
      }
      long looks = outlook.looks();
      EarliestStartSearch.EarliestFit found =
          EarliestStartSearch.find(outlook, lane.shape, lane.seconds(), from, last);
      spend(outlook.looks() - looks, first && task == 0);
      lane.promisedIn = pass;
      lane.promised = found == null ? PlannerTime.UNLIMITED : found.start();
      if (found == null) {
        return said;
      }
      entry.vain = false;
      ShadowReservation booking = booking(entry, found, verdict);
      keep(entry, booking);
      said = task == 0 ? booking.verdict() : said;
    }
    return said;
  }

  /** The last start that is promised. */
  private long last() {
    long window = rules.window() == null ? PlannerTime.NEVER : rules.window().toSeconds();
    return Math.min(PlannerTime.NEVER, outlook.now() + window);
  }

  private int tasks(QueuedJob item) {
    if (item.job.array() instanceof ArrayPart.Waiting waiting && item.split != pass) {
      return Math.min(rules.tasksOfArray(), waiting.waiting().size());
    }
    return item.tasksLeft == null || item.split != pass
        ? 1
        : Math.min(rules.tasksOfArray(), item.tasksLeft.size());
  }

  /** A start that was found, as a promise. */
  ShadowReservation booking(
      PartitionQueueEntry entry, EarliestStartSearch.EarliestFit found, PendingVerdict verdict) {
    long end = entry.end(found.start());
    List<NodeAllocation> holdings = new ArrayList<>(found.shares().size());
    List<String> nodes = new ArrayList<>(found.shares().size());
    for (NodeShare share : found.shares()) {
      holdings.add(entry.holding(outlook.ledger(), share, end));
      nodes.add(share.node());
    }
    return new ShadowReservation(
        entry.lane.shape,
        found.start(),
        entry.lane.seconds(),
        List.copyOf(holdings),
        new PendingVerdict(
            verdict.reason(), PlannerTime.instant(found.start()), List.copyOf(nodes)),
        new ShadowReservation.ReservationBasis(round.newPromise(), holdings.size()));
  }

  private void keep(PartitionQueueEntry entry, ShadowReservation booking) {
    entry.item.bookings.add(booking);
    booking.keep(outlook);
    entry.lane.promisedIn = pass;
    entry.lane.promised = booking.start();
  }

  /** The promises of earlier passes that still hold. */
  private List<ShadowReservation> kept(PartitionQueueEntry entry) {
    List<ShadowReservation> kept = new ArrayList<>();
    int most = tasks(entry.item);
    for (ShadowReservation booking : entry.item.bookings) {
      boolean same =
          booking.shape() == entry.lane.shape && booking.seconds() == entry.lane.seconds();
      if (same && kept.size() < most && holds(booking)) {
        kept.add(booking);
      }
    }
    return kept;
  }

  private boolean holds(ShadowReservation booking) {
    return booking.start() > outlook.now() && booking.holds(outlook);
  }

  /** How many jobs wait with a promise, or in front of a closed door. */
  int booked() {
    return booked;
  }

  /** The pass is over: whether another one has more to do even if nothing changes. */
  boolean isUnfinished() {
    return round.end();
  }
}
