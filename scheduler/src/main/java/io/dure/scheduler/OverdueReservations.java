package io.dure.scheduler;

import io.dure.model.command.PendingVerdict;
import io.dure.rules.PlannerTime;
import io.dure.scheduler.timeline.EarliestStartSearch;
import io.dure.scheduler.timeline.PlanningTimeline;
import io.dure.scheduler.timeline.ShadowReservation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The starts that are reserved for jobs that have waited beyond their bounds. Such a job keeps its
 * reservation from pass to pass until it starts, or until an earlier start is found for it beside
 * those of all others. Everything that starts meanwhile is planned by its limit, so none of the
 * reservations is ever moved to a later time by a job that starts, and a job that runs to its limit
 * delays none. If one does not hold any more (a node is lost, a job has run beyond its limit), it
 * and those behind it are made anew, in the order in which the jobs crossed their bounds. Used in
 * one pass, by one thread.
 */
final class OverdueReservations {
  /**
   * So many of the first look for an earlier start in each pass. The others start earlier if they
   * fit at once; that what is reserved for them stays where it is leaves room for short jobs.
   */
  private static final int MOST_MOVED = 4;

  /** So many are looked at in each pass in which anything is free that was not. */
  private static final int MOST_LOOKED_AT = 500;

  /** So many hold a start at a time; those behind get theirs when others have started. */
  private static final int MOST_RESERVED = 1000;

  /** For so many that have none a start is looked for in each pass. */
  private static final int MOST_SEARCHES = 100;

  private final PlanningTimeline outlook;
  private final BackfillReserver booker;
  private final TreeMap<Integer, Long> made = new TreeMap<>();
  private long first = PlannerTime.NEVER;
  private int looked;
  private int held;
  private int searches;

  /**
   * Those of a pass.
   *
   * @param freed whether anything has become free since the pass before, so that a job may start
   *     earlier than it was to
   */
  OverdueReservations(PlanningTimeline outlook, BackfillReserver booker, boolean freed) {
    this.outlook = outlook;
    this.booker = booker;
    looked = freed ? 0 : MOST_LOOKED_AT;
  }

  /**
   * Keeps what is reserved from everything that is looked at after this.
   *
   * @return whether any job is overdue
   */
  boolean keep(List<JobEquivalenceClass> lanes) {
    List<PartitionQueueEntry> overdue = new ArrayList<>();
    for (JobEquivalenceClass lane : lanes) {
      if (lane.key.overdue()) {
        overdue.addAll(lane.entries);
      }
    }
    Collections.sort(overdue);
    boolean whole = true;
    for (PartitionQueueEntry entry : overdue) {
      ShadowReservation reserved = entry.item.reserved;
      if (reserved != null && reserved.shape() == entry.lane.shape) {
        ShadowReservation due = due(entry, reserved);
        whole = whole && due.seconds() == entry.lane.key.limit() && due.holds(outlook);
        entry.item.reserved = whole ? due : null;
        if (whole) {
          due.keep(outlook);
          held++;
        }
      }
    }
    return !overdue.isEmpty();
  }

  /** The same from now on, if its time has come and the job has not started. */
  private ShadowReservation due(PartitionQueueEntry entry, ShadowReservation reserved) {
    return reserved.start() >= outlook.now()
        ? reserved
        : booker.booking(
            entry,
            new EarliestStartSearch.EarliestFit(
                outlook.now(), reserved.holdings().stream().map(one -> one.share()).toList()),
            reserved.verdict());
  }

  /** Whether a job has to be content with what is reserved for it in this pass. */
  boolean isSettled(PartitionQueueEntry entry) {
    ShadowReservation reserved = entry.item.reserved;
    if (reserved == null || reserved.start() <= outlook.now() || looked < MOST_LOOKED_AT) {
      return false;
    }
    first = Math.min(first, reserved.start());
    return true;
  }

  /** Whether no start is reserved in this pass for a job that has none, nor for those behind it. */
  boolean isFull(PartitionQueueEntry entry) {
    if (entry.item.reserved != null || held < MOST_RESERVED && searches < MOST_SEARCHES) {
      return false;
    }
    if (held < MOST_RESERVED) {
      booker.owe();
    }
    return true;
  }

  /** The job is looked at: what is reserved for it keeps no nodes from it. */
  void open(PartitionQueueEntry entry) {
    ShadowReservation reserved = entry.item.reserved;
    looked++;
    if (reserved != null && reserved.shape() == entry.lane.shape) {
      reserved.withdraw(outlook);
    }
  }

  /** Nothing is reserved any more for jobs of a lane, which wait for something else. */
  void forget(JobEquivalenceClass lane, @Nullable PartitionQueueEntry opened) {
    for (PartitionQueueEntry entry : lane.entries) {
      ShadowReservation reserved = entry.item.reserved;
      if (reserved != null && reserved.shape() == lane.shape) {
        if (!entry.equals(opened)) {
          reserved.withdraw(outlook);
        }
        entry.item.reserved = null;
      }
    }
  }

  /**
   * The job does not start: it keeps what is reserved for it, or gets an earlier start.
   *
   * @return what is said of it
   */
  PendingVerdict reserve(PartitionQueueEntry entry, PendingVerdict verdict) {
    ShadowReservation known = entry.item.reserved;
    if (known != null && known.shape() != entry.lane.shape) {
      return said(entry, verdict);
    }
    if (known == null || looked <= MOST_MOVED) {
      held += known == null ? 1 : 0;
      searches += known == null ? 1 : 0;
      EarliestStartSearch.EarliestFit found = search(entry, known);
      if (found != null) {
        made.put(entry.item.job.id(), found.start());
        known = booker.booking(entry, found, verdict);
        entry.item.reserved = known;
      }
    }
    if (known != null) {
      known.keep(outlook);
      first = Math.min(first, Math.max(known.start(), outlook.now() + 1));
    }
    return said(entry, verdict);
  }

  /** The earliest start, before the one that is known. */
  private EarliestStartSearch.@Nullable EarliestFit search(
      PartitionQueueEntry entry, @Nullable ShadowReservation known) {
    long last = known == null ? PlannerTime.NEVER : known.start() - 1;
    if (last < outlook.now()) {
      return null;
    }
    long looks = outlook.looks();
    EarliestStartSearch.EarliestFit found =
        EarliestStartSearch.find(outlook, entry.lane.shape, entry.lane.seconds(), last);
    booker.spend(outlook.looks() - looks, true);
    return found;
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
