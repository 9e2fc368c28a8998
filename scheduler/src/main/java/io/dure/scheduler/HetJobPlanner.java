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
import io.dure.scheduler.timeline.PlanningTimeline;
import io.dure.scheduler.timeline.RequestClass;
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

  private final PlanBuilder plan;
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
      PlanBuilder.Fit fit,
      List<NodeAllocation> holdings,
      @Nullable JobDemand demand,
      LicenseUse licensesBefore) {}

  /** What came of a component: what it takes, or the limit that keeps it, or no room. */
  private record Attempt(
      @Nullable Taken taken, PartitionQueueEntry entry, @Nullable String limit) {}

  HetJobPlanner(PlanBuilder plan, PlanningTimeline outlook) {
    this.plan = plan;
    this.outlook = outlook;
  }

  /** The pass has come to a component in one of its partitions. */
  void consider(PartitionQueueEntry entry) {
    Job job = entry.item.job;
    HetComponent part = Objects.requireNonNull(job.het());
    Arrived arrived = jobs.computeIfAbsent(part.leader(), _ -> new Arrived());
    arrived.entries.computeIfAbsent(job.id(), _ -> new ArrayList<>()).add(entry);
    // Nothing is said of its lane that is meant for it.
    entry.spoken = plan.number;
    if (arrived.entries.size() == part.size()) {
      attempt(arrived);
    }
  }

  /** The pass is over: jobs of which a component was not reached wait for their turn. */
  void settle() {
    for (Arrived arrived : jobs.values()) {
      boolean started =
          arrived.entries.values().iterator().next().getFirst().item.started == plan.number;
      if (!arrived.spoken && !started) {
        say(arrived, PRIORITY);
      }
    }
  }

  private void attempt(Arrived arrived) {
    if (isBehind(arrived) && plan.mayNotOvertake()) {
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
      plan.say(failed.entry(), PendingVerdict.of(failed.limit()));
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
    taken.forEach(one -> plan.propose(one.entry(), null, one.fit(), overtakes));
    plan.overtook += overtakes ? 1 : 0;
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
    List<License> licenses = plan.licenses(entry);
    if (licenses == null) {
      return new Attempt(null, entry, PendingReason.LICENSES);
    }
    String over = plan.over(plan.limits == null ? null : entry.asked());
    if (over != null) {
      return new Attempt(null, entry, over);
    }
    List<NodeShare> shares = place(entry, avoided, first);
    if (shares == null) {
      return new Attempt(null, entry, null);
    }
    JobDemand demand = plan.demand(entry, shares);
    over = plan.over(demand);
    if (over != null) {
      return new Attempt(null, entry, over);
    }
    PlanBuilder.Fit fit = new PlanBuilder.Fit(shares, entry.lane.seconds(outlook.now()));
    Taken taken = new Taken(entry, fit, plan.holdings(entry, fit), demand, plan.licenseUse);
    outlook.hold(taken.holdings());
    plan.count(demand);
    plan.take(licenses, entry.lane);
    return new Attempt(taken, entry, null);
  }

  private void giveBack(Taken taken) {
    outlook.takeBack(taken.holdings());
    plan.licenseUse = taken.licensesBefore();
    if (plan.limits != null && taken.demand() != null) {
      plan.limits.takenBack(taken.demand());
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
    if (shape.isKnownToFail(outlook, plan.number, seconds) || !shape.mayFit()) {
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
            plan.ranking(shape));
    if (shares == null && first) {
      shape.fails(outlook, plan.number, seconds);
    }
    return shares;
  }

  /** The job does not fit: what it waits for is kept from those behind it. */
  private void wait(Arrived arrived) {
    List<PartitionQueueEntry> entries = arrived.components().stream().map(List::getFirst).toList();
    boolean behind = isBehind(arrived);
    boolean full = entries.stream().anyMatch(entry -> plan.booker.isFull(entry.lane));
    if (full || behind && !plan.options.backfill()) {
      say(arrived, PRIORITY);
      return;
    }
    PendingVerdict verdict = behind ? PRIORITY : PendingVerdict.of(PendingReason.RESOURCES);
    List<PendingVerdict> said = Collections.nCopies(entries.size(), verdict);
    if (!plan.options.backfill()) {
      entries.forEach(entry -> plan.close(entry, isNamed(entry)));
    } else if (entries.stream().anyMatch(plan.booker::isPassedOver)) {
      say(arrived, verdict);
      return;
    } else {
      said = plan.booker.promise(entries, !behind, verdict);
    }
    if (said == null) {
      say(arrived, PRIORITY);
      return;
    }
    TreeSet<String> lines = new TreeSet<>();
    for (int i = 0; i < said.size(); i++) {
      PartitionQueueEntry entry = entries.get(i);
      plan.booker.count(entry, !isNamed(entry) && lines.add(entry.lane.line));
      plan.say(entry, said.get(i));
    }
  }

  private static boolean isNamed(PartitionQueueEntry entry) {
    return !entry.lane.shape.need().request().requiredNodes().isEmpty();
  }

  /** Whether another job waits for what one of the components needs. */
  private boolean isBehind(Arrived arrived) {
    return arrived.entries.values().stream()
        .anyMatch(list -> plan.booker.anyWaits(list.getFirst().lane));
  }

  private void say(Arrived arrived, PendingVerdict verdict) {
    arrived.entries.values().forEach(list -> list.forEach(entry -> plan.say(entry, verdict)));
  }
}
