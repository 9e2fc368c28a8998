package io.dure.scheduler;

import io.dure.model.command.PendingReason;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Preemption;
import io.dure.model.config.preempt.PreemptMode;
import io.dure.model.config.preempt.PreemptSettings;
import io.dure.model.gres.License;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.placement.AllocationLedger;
import io.dure.placement.NodeAllocation;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import io.dure.rules.limits.JobDemand;
import io.dure.rules.preemption.PreemptionEligibility;
import io.dure.scheduler.preemption.VictimSearch;
import io.dure.scheduler.timeline.PlanningTimeline;
import io.dure.scheduler.timeline.RequestClass;
import io.dure.scheduler.timeline.ReservationWindows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs are preempted for which in one pass. What ends already is counted on by the first job
 * that it is enough for; what a job is to have once its victims are gone is kept from all other
 * jobs of this pass.
 */
final class PreemptionPlanner {
  /** How many nodes and jobs a pass looks at: what is left over is left to the next. */
  private static final int MOST_LOOKS = 1_000_000;

  private final Instant now;
  private final PlanningTimeline outlook;
  private final PreemptionEligibility rules;
  private final List<Preemption> preemptions = new ArrayList<>();
  private final List<AllocationLedger.HeldAllocation> ending = new ArrayList<>();
  private final List<NodeAllocation> claims = new ArrayList<>();
  private final TreeSet<Integer> named = new TreeSet<>();
  private final TreeSet<Integer> failed = new TreeSet<>();
  private final BitSet claimed = new BitSet();

  /** Kinds of jobs that can preempt none, by what they have in common. */
  private final TreeSet<String> alone = new TreeSet<>();

  private final TreeMap<Integer, Long> worths = new TreeMap<>();
  private final List<Job> running = new ArrayList<>();
  private long latest;
  private long looks;

  private PreemptionPlanner(
      SchedulerView view, Instant now, PlanningTimeline outlook, PreemptionEligibility rules) {
    this.now = now;
    this.outlook = outlook;
    this.rules = rules;
    latest = outlook.now() + 1;
    for (Job job : view.active().values()) {
      sort(job);
    }
  }

  /** Null where no job preempts another. */
  static @Nullable PreemptionPlanner of(
      SchedulerView view, Instant now, PlanningTimeline outlook, JobQueue queue) {
    PreemptionEligibility rules =
        PreemptionEligibility.of(view, (job, partition) -> -queue.scores().of(job, partition));
    return rules == null ? null : new PreemptionPlanner(view, now, outlook, rules);
  }

  private void sort(Job job) {
    JobState.Running run = job.state().runningOrSuspended();
    if (run != null && run.notice() == null) {
      running.add(job);
      return;
    }
    AllocationLedger.HeldAllocation held = outlook.ledger().held(job.id());
    if (held != null) {
      ending.add(held);
      if (run != null) {
        latest = Math.max(latest, PlannerTime.second(run.latestEnd()));
      }
    }
  }

  List<Preemption> preemptions() {
    return List.copyOf(preemptions);
  }

  /**
   * Whether others make room for the job: then its place is kept, and it starts in a later pass.
   */
  boolean claims(
      PlanBuilder plan, PartitionQueueEntry entry, @Nullable Integer task, List<License> licenses) {
    boolean backfill = plan.options.backfill();
    boolean queued = !backfill && plan.booker.anyWaits(entry.lane);
    VictimSearch.Found found = queued ? null : search(entry);
    if (found == null) {
      return false;
    }
    List<NodeShare> shares = found.shares();
    JobDemand demand = plan.demand(entry, shares);
    if (plan.over(demand) != null) {
      failed.add(entry.lane.number);
      return false;
    }
    plan.count(demand);
    name(entry, found.victims());
    plan.take(licenses, entry.lane);
    List<String> nodes = new ArrayList<>(shares.size());
    for (NodeShare share : shares) {
      NodeAllocation holding = entry.holding(outlook.ledger(), share, PlannerTime.NEVER);
      claims.add(holding);
      claimed.set(holding.node());
      outlook.close(holding.node());
      nodes.add(share.node());
    }
    entry.item.bookings.clear();
    if (!backfill) {
      plan.booker.count(entry, true);
    }
    Instant start = PlannerTime.instant(latest);
    plan.say(entry, new PendingVerdict(PendingReason.RESOURCES, start, List.copyOf(nodes)));
    plan.taken(entry, task);
    return true;
  }

  /** What the job gets once others have made room, null if they do not. */
  private VictimSearch.@Nullable Found search(PartitionQueueEntry entry) {
    JobEquivalenceClass lane = entry.lane;
    if (!rules.mayPreempt(entry.item.job) || failed.contains(lane.number) || looks > MOST_LOOKS) {
      return null;
    }
    List<VictimSearch.VictimCandidate> victims = victims(entry);
    VictimSearch.Found found = null;
    if (!victims.isEmpty() || anyEnds(lane.shape)) {
      looks += lane.shape.nodes().length;
      found = search(lane).find(victims, reorders());
    }
    if (found == null) {
      failed.add(lane.number);
    }
    return found;
  }

  /** Whether something ends on the nodes of a request. */
  private boolean anyEnds(RequestClass shape) {
    looks += ending.size();
    return ending.stream()
        .flatMap(held -> held.holdings().stream())
        .anyMatch(holding -> shape.place(holding.node()) >= 0);
  }

  private void name(PartitionQueueEntry entry, List<VictimSearch.VictimCandidate> found) {
    List<Preemption.Victim> victims = new ArrayList<>();
    for (VictimSearch.VictimCandidate one : found) {
      AllocationLedger.HeldAllocation held = one.held();
      named.add(held.job());
      ending.add(held);
      if (one.mode() == PreemptMode.SUSPEND) {
        held.holdings().forEach(holding -> claims.add(holding.withoutCores()));
      }
      victims.add(new Preemption.Victim(held.job(), one.run(), one.mode()));
    }
    if (!victims.isEmpty()) {
      preemptions.add(new Preemption(entry.item.job.id(), entry.partition.name(), victims));
    }
  }

  private int reorders() {
    return rules.settings().strictOrder() ? 0 : rules.settings().reorderCount();
  }

  private VictimSearch search(JobEquivalenceClass lane) {
    long start = outlook.now();
    long end = PlannerTime.after(start, lane.seconds(start));
    ReservationWindows doors = lane.shape.doors();
    VictimSearch search =
        new VictimSearch(
            outlook.ledger(),
            lane.shape.need(),
            lane.shape.nodes(),
            node ->
                (outlook.isOpen(node) || claimed.get(node) && outlook.slot(node).available())
                    && !outlook.isPromised(node)
                    && (doors == null || doors.isOpen(node, start, end, start)),
            node -> lane.shape.slot(outlook, node, end));
    ending.forEach(search::release);
    claims.forEach(search::hold);
    return search;
  }

  private List<VictimSearch.VictimCandidate> victims(PartitionQueueEntry entry) {
    String kind = rules.preemptorClass(entry.item.job, entry.partition);
    if (kind != null && alone.contains(kind)) {
      return List.of();
    }
    looks += running.size();
    List<Job> jobs = new ArrayList<>();
    for (Job job : running) {
      if (!named.contains(job.id())
          && rules.mode(entry.item.job, entry.partition, job, now) != null) {
        jobs.add(job);
      }
    }
    if (jobs.isEmpty() && kind != null) {
      alone.add(kind);
    }
    jobs.sort(order());
    List<VictimSearch.VictimCandidate> victims = new ArrayList<>();
    for (Job job : jobs) {
      AllocationLedger.HeldAllocation held = outlook.ledger().held(job.id());
      var mode = rules.mode(entry.item.job, entry.partition, job, now);
      if (held != null && mode != null) {
        victims.add(new VictimSearch.VictimCandidate(held, job.run(), mode));
      }
    }
    return victims;
  }

  /** The least worth first, then jobs of fewer nodes, then the earlier; or the youngest. */
  private Comparator<Job> order() {
    PreemptSettings settings = rules.settings();
    Comparator<Job> byId = Comparator.comparingInt(Job::id);
    return settings.youngestFirst()
        ? Comparator.comparing(PreemptionPlanner::start).reversed().thenComparing(byId)
        : Comparator.comparingLong(this::worth)
            .thenComparingInt(PreemptionPlanner::nodes)
            .thenComparing(byId);
  }

  private long worth(Job job) {
    return worths.computeIfAbsent(job.id(), _ -> rules.victimRank(job));
  }

  private static Instant start(Job job) {
    JobState.Running run = job.state().runningOrSuspended();
    return run == null ? Instant.MIN : run.start();
  }

  private static int nodes(Job job) {
    JobState.Running run = job.state().runningOrSuspended();
    return run == null ? 0 : run.allocation().shares().size();
  }
}
