package io.dure.core.scheduler.plan;

import io.dure.core.config.backfill.BackfillSettings;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Job;
import io.dure.core.model.NodeShare;
import io.dure.core.scheduler.Holding;
import io.dure.core.scheduler.Need;
import io.dure.core.scheduler.Times;
import io.dure.core.scheduler.Verdict;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The promises of one pass: to which jobs that have to wait, when and where. */
final class Booker {
  private final BackfillSettings rules;
  private final Outlook outlook;
  private final Round round;
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

  Booker(PlannerOptions options, Outlook outlook, Round round, long pass, int pending) {
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
  boolean somebodyWaits(Lane lane) {
    return ofLine.containsKey(lane.line);
  }

  /** Whether no job of the lane is promised anything any more. */
  boolean isFull(Lane lane) {
    int most = rules.jobsOfPartition();
    return booked >= rules.jobs()
        || isOver(ofLine.get(lane.line), most == 0 ? 0 : most + more.getOrDefault(lane.line, 0));
  }

  /** One more of those who wait for the nodes of the lane is promised a start. */
  void admit(Lane lane) {
    more.merge(lane.line, 1, Integer::sum);
  }

  private static boolean isOver(@Nullable Integer count, int bound) {
    return bound > 0 && count != null && count >= bound;
  }

  /** Whether a job is one that nobody keeps anything for. */
  boolean isPassedOver(QueueEntry entry) {
    Job job = entry.item.job;
    return !rules.leastAge().isZero()
            && outlook.now() - Times.second(job.submitTime()) < rules.leastAge().toSeconds()
        || entry.priority() < rules.leastPriority()
        || isOver(ofUser.get(job.owner().uid()), rules.jobsOfUser())
        || isOver(ofUserInLine.get(userInLine(entry)), rules.jobsOfUserInPartition())
        || isOver(ofAccount.get(account(job)), rules.jobsOfAccount())
        || rules.onePartition() && entry.item.promisedIn == pass;
  }

  private static String userInLine(QueueEntry entry) {
    return entry.item.job.owner().uid() + " " + entry.lane.line;
  }

  private static String account(Job job) {
    String account = job.spec().account();
    return account == null ? "" : account;
  }

  /** One more waits. */
  void count(QueueEntry entry, boolean forAll) {
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
  @Nullable Verdict promise(QueueEntry entry, boolean first, Verdict verdict) {
    List<Booking> kept = first || anew ? List.of() : kept(entry);
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

  private void spend(long looks, boolean first) {
    effort = first ? Math.max(Math.min(effort, least), effort - looks) : effort - looks;
  }

  /** What was promised to it in this partition. */
  private void forget(QueueEntry entry) {
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
  @Nullable List<Verdict> promise(List<QueueEntry> components, boolean first, Verdict verdict) {
    if (!first && !anew) {
      boolean due = round.reaches(components.getLast());
      List<Verdict> kept = due && effort > 0 ? null : keep(components, verdict);
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
    List<EarliestStart.Found> found =
        CommonStart.promise(outlook, components.stream().map(Component::new).toList(), last());
    spend(outlook.looks() - looks, first);
    components.getLast().vain = found == null;
    if (found == null) {
      return Collections.nCopies(components.size(), verdict);
    }
    List<Verdict> said = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      Booking booking = booking(components.get(i), found.get(i), verdict);
      components.get(i).item.bookings.add(booking);
      said.add(booking.verdict());
    }
    return said;
  }

  /** What was promised to all components before, null if not all of it holds. */
  private @Nullable List<Verdict> keep(List<QueueEntry> components, Verdict verdict) {
    List<List<Booking>> kept = components.stream().map(this::kept).toList();
    if (kept.stream().anyMatch(List::isEmpty)) {
      return components.getLast().vain ? Collections.nCopies(components.size(), verdict) : null;
    }
    List<Verdict> said = new ArrayList<>();
    for (int i = 0; i < kept.size(); i++) {
      QueueItem item = components.get(i).item;
      Booking booking = with(kept.get(i).getFirst(), verdict);
      forget(components.get(i));
      item.bookings.add(booking);
      outlook.promise(booking);
      said.add(booking.verdict());
    }
    return said;
  }

  /** A component of a heterogeneous job that waits. */
  private final class Component implements CommonStart.Part {
    private final QueueEntry entry;

    Component(QueueEntry entry) {
      this.entry = entry;
    }

    @Override
    public Shape shape() {
      return entry.lane.shape;
    }

    @Override
    public long seconds() {
      return entry.lane.seconds();
    }

    @Override
    public Holding holding(NodeShare share, long start) {
      return outlook.holding(entry, share, entry.end(start));
    }
  }

  private Verdict keep(QueueEntry entry, List<Booking> kept, Verdict verdict) {
    Verdict said = verdict;
    for (int i = 0; i < kept.size(); i++) {
      // Two tasks may each fit where both do not.
      if (i == 0 || holds(kept.get(i))) {
        Booking booking = with(kept.get(i), verdict);
        keep(entry, booking);
        said = i == 0 ? booking.verdict() : said;
      }
    }
    return said;
  }

  private static Booking with(Booking old, Verdict said) {
    if (old.verdict().reason().equals(said.reason())) {
      return old;
    }
    Verdict verdict =
        new Verdict(said.reason(), old.verdict().expectedStart(), old.verdict().plannedNodes());
    return new Booking(
        old.shape(), old.start(), old.seconds(), old.holdings(), verdict, old.footing());
  }

  private Verdict find(QueueEntry entry, boolean first, Verdict verdict) {
    long last = last();
    Lane lane = entry.lane;
    Verdict said = verdict;
    entry.vain = true;
    for (int task = 0; task < tasks(entry.item); task++) {
      long from = lane.promisedIn == pass ? lane.promised : outlook.now();
      if (from > last) {
        return said;
      }
      long looks = outlook.looks();
      EarliestStart.Found found =
          EarliestStart.find(outlook, lane.shape, lane.seconds(), from, last);
      spend(outlook.looks() - looks, first && task == 0);
      lane.promisedIn = pass;
      lane.promised = found == null ? Times.UNLIMITED : found.start();
      if (found == null) {
        return said;
      }
      entry.vain = false;
      Booking booking = booking(entry, found, verdict);
      keep(entry, booking);
      said = task == 0 ? booking.verdict() : said;
    }
    return said;
  }

  /** The last start that is promised. */
  private long last() {
    long window = rules.window() == null ? Times.NEVER : rules.window().toSeconds();
    return Math.min(Times.NEVER, outlook.now() + window);
  }

  private int tasks(QueueItem item) {
    if (item.job.array() instanceof ArrayPart.Waiting waiting && item.split != pass) {
      return Math.min(rules.tasksOfArray(), waiting.waiting().size());
    }
    return item.tasksLeft == null || item.split != pass
        ? 1
        : Math.min(rules.tasksOfArray(), item.tasksLeft.size());
  }

  private Booking booking(QueueEntry entry, EarliestStart.Found found, Verdict verdict) {
    long end = entry.end(found.start());
    List<Holding> holdings = new ArrayList<>(found.shares().size());
    List<String> nodes = new ArrayList<>(found.shares().size());
    for (NodeShare share : found.shares()) {
      holdings.add(outlook.holding(entry, share, end));
      nodes.add(share.node());
    }
    return new Booking(
        entry.lane.shape,
        found.start(),
        entry.lane.seconds(),
        List.copyOf(holdings),
        new Verdict(verdict.reason(), Times.instant(found.start()), List.copyOf(nodes)),
        new Booking.Footing(round.newPromise(), holdings.size()));
  }

  private void keep(QueueEntry entry, Booking booking) {
    entry.item.bookings.add(booking);
    outlook.promise(booking);
    entry.lane.promisedIn = pass;
    entry.lane.promised = booking.start();
  }

  /** The promises of earlier passes that still hold. */
  private List<Booking> kept(QueueEntry entry) {
    List<Booking> kept = new ArrayList<>();
    int most = tasks(entry.item);
    for (Booking booking : entry.item.bookings) {
      boolean same =
          booking.shape() == entry.lane.shape && booking.seconds() == entry.lane.seconds();
      if (same && kept.size() < most && holds(booking)) {
        kept.add(booking);
      }
    }
    return kept;
  }

  private boolean holds(Booking booking) {
    if (booking.start() <= outlook.now()) {
      return false;
    }
    Need need = booking.shape().need();
    List<Holding> holdings = booking.holdings();
    for (int i = 0; i < holdings.size(); i++) {
      Holding holding = holdings.get(i);
      int node = holding.node();
      if (!outlook.isOpen(node)) {
        return false;
      }
      if (!booking.footing().isFirm(outlook, holdings, i)) {
        BitSet closed = booking.shape().closed(node, booking.start(), holding.end(), outlook);
        NodeProfile whole = outlook.wholeProfile(node);
        NodeProfile profile = closed == null ? whole : whole.without(closed);
        if (profile.room(need, booking.start(), holding.end()) < holding.share().tasks()) {
          return false;
        }
        booking.footing().sawHold(outlook, holdings, i);
      }
    }
    return true;
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
