package io.dure.core.scheduler.plan;

import io.dure.core.model.Job;
import io.dure.core.model.NodeShare;
import io.dure.core.model.gres.License;
import io.dure.core.model.het.HetPart;
import io.dure.core.scheduler.Candidates;
import io.dure.core.scheduler.Holding;
import io.dure.core.scheduler.Placer;
import io.dure.core.scheduler.Reason;
import io.dure.core.scheduler.Times;
import io.dure.core.scheduler.Verdict;
import io.dure.core.scheduler.limits.Demand;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The heterogeneous jobs of one pass. Each is considered when the last of its components comes: all
 * of them start, or none does and all are promised the earliest time at which they fit together.
 */
final class HetJobs {
  private static final Verdict PRIORITY = Verdict.of(Reason.PRIORITY);

  private final Pass pass;
  private final Outlook outlook;
  private final Candidates candidates = new Candidates();
  private final TreeMap<Integer, Arrived> jobs = new TreeMap<>();

  /** The components of a job that the pass has come to. */
  private static final class Arrived {
    final Map<Integer, List<QueueEntry>> entries = new LinkedHashMap<>();

    /** Whether something has been said of why it waits. */
    boolean spoken;

    /** Those that are hardest to place first, in the order of the queue among equals. */
    List<List<QueueEntry>> components() {
      List<List<QueueEntry>> all = new ArrayList<>(entries.values());
      all.sort(Comparator.comparingInt(list -> choice(list.getFirst())));
      return all;
    }

    private static int choice(QueueEntry entry) {
      Shape shape = entry.lane.shape;
      return shape.need().request().requiredNodes().isEmpty() ? shape.nodes().length : 0;
    }
  }

  /** What a component takes with it should all of them start. */
  private record Taken(
      QueueEntry entry,
      List<NodeShare> shares,
      List<Holding> holdings,
      @Nullable Demand demand,
      List<License> licensesBefore) {}

  /** What came of a component: what it takes, or the limit that keeps it, or no room. */
  private record Attempt(@Nullable Taken taken, QueueEntry entry, @Nullable String limit) {}

  HetJobs(Pass pass, Outlook outlook) {
    this.pass = pass;
    this.outlook = outlook;
  }

  /** The pass has come to a component in one of its partitions. */
  void consider(QueueEntry entry) {
    Job job = entry.item.job;
    HetPart part = Objects.requireNonNull(job.het());
    Arrived arrived = jobs.computeIfAbsent(part.leader(), _ -> new Arrived());
    arrived.entries.computeIfAbsent(job.id(), _ -> new ArrayList<>()).add(entry);
    // Nothing is said of its lane that is meant for it.
    entry.spoken = pass.number;
    if (arrived.entries.size() == part.size()) {
      attempt(arrived);
    }
  }

  /** The pass is over: jobs of which a component was not reached wait for their turn. */
  void settle() {
    for (Arrived arrived : jobs.values()) {
      boolean started =
          arrived.entries.values().iterator().next().getFirst().item.started == pass.number;
      if (!arrived.spoken && !started) {
        say(arrived, PRIORITY);
      }
    }
  }

  private void attempt(Arrived arrived) {
    Attempt failed = attempt(arrived, true);
    if (failed != null && failed.limit() == null) {
      failed = attempt(arrived, false);
    }
    if (failed == null || arrived.spoken) {
      return;
    }
    arrived.spoken = true;
    if (failed.limit() == null) {
      wait(arrived);
    } else {
      say(arrived, PRIORITY);
      pass.say(failed.entry(), Verdict.of(failed.limit()));
    }
  }

  /**
   * Starts all components if they fit.
   *
   * @param apart whether each has to have nodes of its own
   * @return the component that did not fit, null if all start
   */
  private @Nullable Attempt attempt(Arrived arrived, boolean apart) {
    List<Taken> taken = new ArrayList<>();
    for (List<QueueEntry> component : arrived.components()) {
      Attempt one = take(component, apart ? taken : List.of(), taken.isEmpty());
      if (one.taken() == null) {
        taken.reversed().forEach(this::giveBack);
        return one;
      }
      taken.add(one.taken());
    }
    taken.sort(Comparator.comparingInt(one -> one.entry().item.job.id()));
    taken.forEach(one -> pass.propose(one.entry(), null, one.shares()));
    return null;
  }

  private Attempt take(List<QueueEntry> component, List<Taken> avoided, boolean first) {
    Attempt last = null;
    for (QueueEntry entry : component) {
      last = take(entry, avoided, first);
      if (last.taken() != null) {
        return last;
      }
    }
    return Objects.requireNonNull(last);
  }

  private Attempt take(QueueEntry entry, List<Taken> avoided, boolean first) {
    Job job = entry.item.job;
    List<License> licenses = pass.licenses(job);
    if (licenses == null) {
      return new Attempt(null, entry, Reason.LICENSES);
    }
    String over = pass.over(pass.limits == null ? null : Demand.asked(job, entry.partition));
    if (over != null) {
      return new Attempt(null, entry, over);
    }
    List<NodeShare> shares = place(entry, avoided, first);
    if (shares == null) {
      return new Attempt(null, entry, null);
    }
    Demand demand = pass.demand(entry, shares);
    over = pass.over(demand);
    if (over != null) {
      return new Attempt(null, entry, over);
    }
    Taken taken =
        new Taken(entry, shares, pass.holdings(entry, shares), demand, pass.licensesInUse);
    outlook.hold(taken.holdings());
    pass.count(demand);
    pass.licensesInUse = License.sum(pass.licensesInUse, licenses, 1);
    return new Attempt(taken, entry, null);
  }

  private void giveBack(Taken taken) {
    outlook.takeBack(taken.holdings());
    pass.licensesInUse = taken.licensesBefore();
    if (pass.limits != null && taken.demand() != null) {
      pass.limits.takenBack(taken.demand());
    }
  }

  /**
   * Looks at the nodes as they are: what other components hold for the moment must not be kept in
   * mind for the jobs behind.
   */
  private @Nullable List<NodeShare> place(QueueEntry entry, List<Taken> avoided, boolean first) {
    Shape shape = entry.lane.shape;
    long seconds = entry.lane.seconds(outlook.now());
    if (shape.isKnownToFail(pass.number, seconds) || !shape.mayFit()) {
      return null;
    }
    TreeSet<Integer> closed = new TreeSet<>();
    avoided.forEach(one -> one.holdings().forEach(holding -> closed.add(holding.node())));
    long end = Times.after(outlook.now(), seconds);
    candidates.clear();
    for (int node = shape.nextOpen(0); node >= 0; node = shape.nextOpen(node + 1)) {
      int room = closed.contains(node) ? 0 : shape.room(outlook, node, end);
      if (room > 0) {
        long gpus = outlook.gpus(node, shape.need(), end);
        candidates.add(node, room, outlook.slot(node).freeCpus(), gpus);
      }
    }
    List<NodeShare> shares =
        Placer.place(shape.need(), outlook.ledger(), candidates, outlook::slot);
    if (shares == null && first) {
      shape.fails(pass.number, seconds);
    }
    return shares;
  }

  /** The job does not fit: what it waits for is kept from those behind it. */
  private void wait(Arrived arrived) {
    List<QueueEntry> entries = arrived.components().stream().map(List::getFirst).toList();
    TreeSet<String> lines = new TreeSet<>();
    entries.forEach(entry -> lines.add(entry.lane.line));
    if (!lines.stream().allMatch(pass::mayWait)) {
      say(arrived, PRIORITY);
      return;
    }
    boolean behind = lines.stream().anyMatch(pass.waiting::containsKey);
    Verdict verdict = behind ? PRIORITY : Verdict.of(Reason.RESOURCES);
    if (pass.options.backfill()) {
      promise(entries, verdict);
    } else {
      entries.forEach(entry -> {
        pass.close(entry, !entry.lane.shape.need().request().requiredNodes().isEmpty());
        pass.say(entry, verdict);
      });
    }
    pass.booked++;
    lines.forEach(line -> pass.waiting.merge(line, 1, Integer::sum));
  }

  private void promise(List<QueueEntry> entries, Verdict verdict) {
    long last = Math.min(Times.NEVER, outlook.now() + pass.options.windowSeconds());
    List<EarliestStart.Found> found =
        CommonStart.promise(outlook, entries.stream().map(Promised::new).toList(), last);
    for (int i = 0; i < entries.size(); i++) {
      if (found == null) {
        pass.say(entries.get(i), verdict);
      } else {
        List<String> nodes = found.get(i).shares().stream().map(NodeShare::node).toList();
        pass.say(
            entries.get(i),
            new Verdict(verdict.reason(), Times.instant(CommonStart.latest(found)), nodes));
      }
    }
  }

  /** A component that waits. */
  private final class Promised implements CommonStart.Part {
    private final QueueEntry entry;

    Promised(QueueEntry entry) {
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
      return pass.holding(entry, share, Times.after(start, entry.lane.seconds(start)));
    }
  }

  private void say(Arrived arrived, Verdict verdict) {
    arrived.entries.values().forEach(list -> list.forEach(entry -> pass.say(entry, verdict)));
  }
}
