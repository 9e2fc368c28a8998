package io.dure.scheduler;

import io.dure.model.config.PartitionConfig;
import io.dure.model.job.NodeShare;
import io.dure.model.request.JobSpec;
import io.dure.model.reservation.Reservation;
import io.dure.placement.AllocationLedger;
import io.dure.placement.NodeAllocation;
import io.dure.rules.PartitionRules;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import io.dure.rules.queueorder.RunTimeEstimates;
import io.dure.scheduler.timeline.CommonStartSearch;
import io.dure.scheduler.timeline.EarliestStartSearch;
import io.dure.scheduler.timeline.PlanningTimeline;
import io.dure.scheduler.timeline.RequestClass;
import io.dure.scheduler.timeline.RequestClasses;
import io.dure.scheduler.timeline.ShadowReservation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When and where a job could start if it were first in the queue and every job ran to its limit.
 *
 * @param start when
 * @param partition the partition
 * @param nodes the nodes, in node order
 * @param cpus CPUs on all nodes
 */
public record StartEstimate(Instant start, String partition, List<String> nodes, int cpus) {
  /**
   * The earliest start in any of the job's partitions, the first named where several are equal.
   *
   * @param uid whose job it is
   * @return null if it cannot be said: it fits nowhere, or jobs without a limit have to end first
   */
  public static @Nullable StartEstimate of(SchedulerView view, JobSpec spec, int uid, Instant now) {
    AllocationLedger ledger = AllocationLedger.loaded(view, RunTimeEstimates.LIMITS);
    RequestClasses shapes = new RequestClasses(view, ledger, AllocationLedger.idle(view));
    Instant earliest = spec.beginTime();
    Instant from = earliest == null || earliest.isBefore(now) ? now : earliest;
    StartEstimate best = null;
    for (String name : spec.partitions()) {
      PartitionConfig partition = view.partition(name);
      if (partition == null
          || PartitionRules.closedReason(partition) != null
          || PartitionRules.refusalReason(view, partition, spec) != null) {
        continue;
      }
      Reservation own =
          spec.reservations().isEmpty() ? null : view.reservation(spec.reservations().getFirst());
      PartitionConfig bounds = PartitionRules.freed(view, partition, spec);
      RequestClass shape = shapes.of(bounds, spec.resources(), uid, own);
      if (shape.reason() != null) {
        continue;
      }
      PlanningTimeline outlook = new PlanningTimeline(ledger, now.getEpochSecond());
      long seconds = PlannerTime.seconds(PartitionRules.runTime(partition, spec));
      EarliestStartSearch.EarliestFit found =
          EarliestStartSearch.find(outlook, shape, seconds, PlannerTime.NEVER - 1);
      if (found != null) {
        Instant start =
            found.start() <= from.getEpochSecond() ? from : Instant.ofEpochSecond(found.start());
        if (own != null && own.binds() && start.isBefore(own.start(now))) {
          start = own.start(now);
        }
        if (best == null || start.isBefore(best.start())) {
          best = estimate(start, partition, found.shares());
        }
      }
    }
    return best;
  }

  /**
   * The earliest start of all components of a heterogeneous job, each in the first partition that
   * would take it.
   *
   * @return null if it cannot be said; else the partition of the first, and the nodes of all
   */
  public static @Nullable StartEstimate of(
      SchedulerView view, List<JobSpec> components, int uid, Instant now) {
    AllocationLedger ledger = AllocationLedger.loaded(view, RunTimeEstimates.LIMITS);
    RequestClasses shapes = new RequestClasses(view, ledger, AllocationLedger.idle(view));
    List<Component> parts = new ArrayList<>();
    for (JobSpec spec : components) {
      Component part = component(view, shapes, spec, uid);
      if (part == null) {
        return null;
      }
      parts.add(part);
    }
    PlanningTimeline outlook = new PlanningTimeline(ledger, now.getEpochSecond());
    List<EarliestStartSearch.EarliestFit> found =
        CommonStartSearch.promise(outlook, parts, PlannerTime.NEVER - 1);
    if (found == null) {
      return null;
    }
    Instant begin = components.getFirst().beginTime();
    Instant from = begin == null || begin.isBefore(now) ? now : begin;
    long latest = CommonStartSearch.latest(found);
    List<NodeShare> all = found.stream().flatMap(one -> one.shares().stream()).toList();
    return estimate(
        latest <= from.getEpochSecond() ? from : Instant.ofEpochSecond(latest),
        parts.getFirst().partition(),
        all);
  }

  private static @Nullable Component component(
      SchedulerView view, RequestClasses shapes, JobSpec spec, int uid) {
    for (String name : spec.partitions()) {
      PartitionConfig partition = view.partition(name);
      if (partition != null
          && PartitionRules.closedReason(partition) == null
          && PartitionRules.refusalReason(view, partition, spec) == null) {
        Reservation own =
            spec.reservations().isEmpty() ? null : view.reservation(spec.reservations().getFirst());
        RequestClass shape = shapes.of(partition, spec.resources(), uid, own);
        if (shape.reason() == null) {
          long seconds = PlannerTime.seconds(PartitionRules.runTime(partition, spec));
          return new Component(view, partition, shape, seconds, uid);
        }
      }
    }
    return null;
  }

  /** One component of a heterogeneous job in one of its partitions. */
  private record Component(
      SchedulerView view, PartitionConfig partition, RequestClass shape, long seconds, int uid)
      implements CommonStartSearch.Part {
    @Override
    public NodeAllocation holding(NodeShare share, long start) {
      int node = shape.index(share.node());
      Integer together = shape.need().jobsPerCore();
      long end = PlannerTime.after(start, seconds);
      int tier = partition.priorityTier();
      return new NodeAllocation(
          node, share, uid, false, partition.name(), together, end, tier, List.of());
    }
  }

  /** Both together: the later start, the nodes of both, the partition of this. */
  public StartEstimate and(StartEstimate other) {
    List<String> both = new ArrayList<>(nodes);
    both.addAll(other.nodes);
    return new StartEstimate(
        start.isBefore(other.start) ? other.start : start,
        partition,
        List.copyOf(both),
        cpus + other.cpus);
  }

  private static StartEstimate estimate(
      Instant start, PartitionConfig partition, List<NodeShare> shares) {
    return estimate(start, partition.name(), shares.stream());
  }

  static StartEstimate of(ShadowReservation booking) {
    return estimate(
        Instant.ofEpochSecond(booking.start()),
        booking.holdings().getFirst().partition(),
        booking.holdings().stream().map(NodeAllocation::share));
  }

  private static StartEstimate estimate(Instant start, String partition, Stream<NodeShare> shares) {
    List<NodeShare> all = shares.toList();
    return new StartEstimate(
        start,
        partition,
        all.stream().map(NodeShare::node).toList(),
        all.stream().mapToInt(NodeShare::cpus).sum());
  }
}
