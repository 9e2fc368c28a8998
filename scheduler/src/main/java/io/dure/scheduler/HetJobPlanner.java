package io.dure.scheduler;

import io.dure.model.command.PendingReason;
import io.dure.model.command.PendingVerdict;
import io.dure.model.gres.License;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.job.Job;
import io.dure.model.job.NodeShare;
import io.dure.model.reservation.LicenseUse;
import io.dure.placement.CandidateNodes;
import io.dure.placement.JobPlacer;
import io.dure.placement.NodeAllocation;
import io.dure.rules.PlannerTime;
import io.dure.rules.limits.JobDemand;
import java.util.ArrayList;
import java.util.Collections;
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
final class HetJobPlanner {
  private static final PendingVerdict PRIORITY = PendingVerdict.of(PendingReason.PRIORITY);

  private final SchedulingPass pass;
  private final PlanningTimeline outlook;
  private final CandidateNodes candidates = new CandidateNodes();
  private final TreeMap<Integer, Arrived> jobs = new TreeMap<>();

  /** The components of a job that the pass has come to. */
  private static final class Arrived {
    final Map<Integer, List<PartitionQueueEntry>> entries = new LinkedHashMap<>();

    /** Whether something has been said of why it waits. */
    boolean spoken;

    /** Those that are hardest to place first, in the order of the queue among equals. */
    List<List<PartitionQueueEntry>> components() {
      List<List<PartitionQueueEntry>> all = new ArrayList<>(entries.values());
      all.sort(Comparator.comparingInt(list -> choice(list.getFirst())));
      return all;
    }

    private static int choice(PartitionQueueEntry entry) {
      RequestClass shape = entry.lane.shape;
      return shape.need().request().requiredNodes().isEmpty() ? shape.nodes().length : 0;
    }
  }

  /** What a component takes with it should all of them start. */
  private record Taken(
      PartitionQueueEntry entry,
      SchedulingPass.Fit fit,
      List<NodeAllocation> holdings,
      @Nullable JobDemand demand,
      LicenseUse licensesBefore) {}

  /** What came of a component: what it takes, or the limit that keeps it, or no room. */
  private record Attempt(
      @Nullable Taken taken, PartitionQueueEntry entry, @Nullable String limit) {}

  HetJobPlanner(SchedulingPass pass, PlanningTimeline outlook) {
    this.pass = pass;
    this.outlook = outlook;
  }

  /** The pass has come to a component in one of its partitions. */
  void consider(PartitionQueueEntry entry) {
    Job job = entry.item.job;
    HetComponent part = Objects.requireNonNull(job.het());
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
    if (isBehind(arrived) && pass.mayNotOvertake()) {
      return;
    }
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
      pass.say(failed.entry(), PendingVerdict.of(failed.limit()));
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
    for (List<PartitionQueueEntry> component : arrived.components()) {
      Attempt one = take(component, apart ? taken : List.of(), taken.isEmpty());
      if (one.taken() == null) {
        taken.reversed().forEach(this::giveBack);
        return one;
      }
      taken.add(one.taken());
    }
    taken.sort(Comparator.comparingInt(one -> one.entry().item.job.id()));
    boolean overtakes = isBehind(arrived);
    taken.forEach(one -> pass.propose(one.entry(), null, one.fit(), overtakes));
    pass.overtook += overtakes ? 1 : 0;
    return null;
  }

  private Attempt take(List<PartitionQueueEntry> component, List<Taken> avoided, boolean first) {
    Attempt last = null;
    for (PartitionQueueEntry entry : component) {
      last = take(entry, avoided, first);
      if (last.taken() != null) {
        return last;
      }
    }
    return Objects.requireNonNull(last);
  }

  private Attempt take(PartitionQueueEntry entry, List<Taken> avoided, boolean first) {
    List<License> licenses = pass.licenses(entry);
    if (licenses == null) {
      return new Attempt(null, entry, PendingReason.LICENSES);
    }
    String over = pass.over(pass.limits == null ? null : entry.asked());
    if (over != null) {
      return new Attempt(null, entry, over);
    }
    List<NodeShare> shares = place(entry, avoided, first);
    if (shares == null) {
      return new Attempt(null, entry, null);
    }
    JobDemand demand = pass.demand(entry, shares);
    over = pass.over(demand);
    if (over != null) {
      return new Attempt(null, entry, over);
    }
    SchedulingPass.Fit fit = new SchedulingPass.Fit(shares, entry.lane.seconds(outlook.now()));
    Taken taken = new Taken(entry, fit, pass.holdings(entry, fit), demand, pass.licenseUse);
    outlook.hold(taken.holdings());
    pass.count(demand);
    pass.take(licenses, entry.lane);
    return new Attempt(taken, entry, null);
  }

  private void giveBack(Taken taken) {
    outlook.takeBack(taken.holdings());
    pass.licenseUse = taken.licensesBefore();
    if (pass.limits != null && taken.demand() != null) {
      pass.limits.takenBack(taken.demand());
    }
  }

  /**
   * Looks at the nodes as they are: what other components hold for the moment must not be kept in
   * mind for the jobs behind.
   */
  private @Nullable List<NodeShare> place(
      PartitionQueueEntry entry, List<Taken> avoided, boolean first) {
    RequestClass shape = entry.lane.shape;
    long seconds = entry.lane.seconds(outlook.now());
    if (shape.isKnownToFail(pass.number, seconds) || !shape.mayFit()) {
      return null;
    }
    TreeSet<Integer> closed = new TreeSet<>();
    avoided.forEach(one -> one.holdings().forEach(holding -> closed.add(holding.node())));
    long end = PlannerTime.after(outlook.now(), seconds);
    candidates.clear();
    for (int node = shape.nextOpen(0); node >= 0; node = shape.nextOpen(node + 1)) {
      int room = closed.contains(node) ? 0 : shape.room(outlook, node, end);
      if (room > 0) {
        long gpus = shape.gpus(outlook, node, end);
        candidates.add(node, room, shape.slot(outlook, node, end).freeCpus(), gpus);
      }
    }
    List<NodeShare> shares =
        JobPlacer.placeNow(
            shape.need(),
            outlook.ledger(),
            candidates,
            node -> shape.slot(outlook, node, end),
            pass.ranking(shape));
    if (shares == null && first) {
      shape.fails(pass.number, seconds);
    }
    return shares;
  }

  /** The job does not fit: what it waits for is kept from those behind it. */
  private void wait(Arrived arrived) {
    List<PartitionQueueEntry> entries = arrived.components().stream().map(List::getFirst).toList();
    boolean behind = isBehind(arrived);
    boolean full = entries.stream().anyMatch(entry -> pass.booker.isFull(entry.lane));
    if (full || behind && !pass.options.backfill()) {
      say(arrived, PRIORITY);
      return;
    }
    PendingVerdict verdict = behind ? PRIORITY : PendingVerdict.of(PendingReason.RESOURCES);
    List<PendingVerdict> said = Collections.nCopies(entries.size(), verdict);
    if (!pass.options.backfill()) {
      entries.forEach(entry -> pass.close(entry, isNamed(entry)));
    } else if (entries.stream().anyMatch(pass.booker::isPassedOver)) {
      say(arrived, verdict);
      return;
    } else {
      said = pass.booker.promise(entries, !behind, verdict);
    }
    if (said == null) {
      say(arrived, PRIORITY);
      return;
    }
    TreeSet<String> lines = new TreeSet<>();
    for (int i = 0; i < said.size(); i++) {
      PartitionQueueEntry entry = entries.get(i);
      pass.booker.count(entry, !isNamed(entry) && lines.add(entry.lane.line));
      pass.say(entry, said.get(i));
    }
  }

  private static boolean isNamed(PartitionQueueEntry entry) {
    return !entry.lane.shape.need().request().requiredNodes().isEmpty();
  }

  /** Whether somebody waits for what one of the components needs. */
  private boolean isBehind(Arrived arrived) {
    return arrived.entries.values().stream()
        .anyMatch(list -> pass.booker.somebodyWaits(list.getFirst().lane));
  }

  private void say(Arrived arrived, PendingVerdict verdict) {
    arrived.entries.values().forEach(list -> list.forEach(entry -> pass.say(entry, verdict)));
  }
}
