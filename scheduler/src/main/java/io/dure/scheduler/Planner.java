package io.dure.scheduler;

import io.dure.model.collection.IntMap;
import io.dure.model.command.PendingReason;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Placement;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.reservation.Reservation;
import io.dure.placement.AllocationLedger;
import io.dure.rules.SchedulerView;
import io.dure.scheduler.timeline.PlanningTimeline;
import io.dure.scheduler.timeline.RequestClasses;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Says which pending jobs start now and why the others wait. Jobs are considered by priority tier
 * and order; those that have to wait are promised the earliest start at which they fit if all that
 * run keep to their estimates, and jobs behind them start only if they break no promise.
 *
 * <p>A plan is a function of the view, the time, the options and the {@link Memory} of the pass
 * before; a planner itself keeps nothing. What is remembered saves work and changes nothing: but
 * for promises to others than the first of a partition, where the options bound what a pass may
 * look at, which stay as they were made until they no longer hold or their turn comes; and but for
 * a long queue whose order is worked out anew, which takes some passes ({@link
 * SchedulingPlan#unfinished}). Any thread.
 */
public final class Planner {
  private final Function<ClusterSettings, PlannerOptions> choose;

  /**
   * What a pass hands on to the next: the queue in its order, what is held on the nodes, and what
   * was promised. Each is given to one pass, which takes it over and gives back its successor: that
   * a pass costs time for what changed, and not for the whole cluster, is because nothing is
   * copied. A memory that was taken, as by a pass that failed, is as {@link #none}. One thread at a
   * time.
   */
  public static final class Memory {
    private final long passes;
    private final int promised;
    private @Nullable WorkingSet kept;

    private Memory(long passes, int promised, @Nullable WorkingSet kept) {
      this.passes = passes;
      this.promised = promised;
      this.kept = kept;
    }

    /** Nothing is remembered: the next pass looks at the whole cluster. */
    public static Memory none() {
      return new Memory(0, 0, null);
    }

    /** How many jobs that have to wait the last plan promised a start, or kept their promise. */
    public int promised() {
      return promised;
    }

    /** What the last plan promised a job that has to wait, null if nothing. */
    public @Nullable StartEstimate promiseTo(int jobId) {
      QueuedJob item = kept == null ? null : kept.queue().item(jobId);
      if (item == null || item.verdict == null) {
        return null;
      }
      if (item.reserved == null && item.promisedIn != passes) {
        return null;
      }
      Instant said = item.verdict.expectedStart();
      if (item.reserved != null) {
        return StartEstimate.of(item.reserved);
      }
      return item.bookings.stream()
          .filter(booking -> Objects.equals(booking.verdict().expectedStart(), said))
          .findFirst()
          .map(StartEstimate::of)
          .orElse(null);
    }

    /** What is remembered, which from then on is not here: one pass alone goes on from it. */
    private @Nullable WorkingSet take() {
      WorkingSet taken = kept;
      kept = null;
      return taken;
    }
  }

  /**
   * What comes of a pass.
   *
   * @param memory for the next pass
   */
  public record Planned(SchedulingPlan plan, Memory memory) {}

  /** What belongs to one planner and one description of the cluster. */
  private record WorkingSet(
      Planner planner,
      ClusterSettings settings,
      PlannerOptions options,
      List<PartitionConfig> partitions,
      List<Reservation> reservations,
      AllocationLedger ledger,
      AllocationLedger idle,
      JobQueue queue,
      ReservationRefreshRound round,
      SequencedSet<QueuedJob> overdue,
      boolean usersMatter) {
    boolean serves(Planner one, SchedulerView view) {
      return planner == one
          && settings.equals(view.settings())
          && partitions.equals(view.partitions())
          && reservations.equals(view.reservations())
          && ledger.update(view)
          && idle.update(view);
    }
  }

  /** A planner that does as each view's settings say. */
  public Planner() {
    this(PlannerOptions::of);
  }

  /** A planner with options of its own. */
  public Planner(PlannerOptions options) {
    this(_ -> options);
  }

  private Planner(Function<ClusterSettings, PlannerOptions> choose) {
    this.choose = choose;
  }

  /** A plan by each view's settings, with nothing remembered. */
  public static SchedulingPlan once(SchedulerView view, Instant now) {
    return new Planner().plan(view, now, ArrayTaskGate.OPEN);
  }

  /** A plan with nothing remembered. */
  public SchedulingPlan plan(SchedulerView view, Instant now, ArrayTaskGate gate) {
    return plan(view, now, gate, Memory.none()).plan();
  }

  /**
   * Plans.
   *
   * @param view the cluster; one that goes on from the view before it costs time for what changed
   * @param gate tells which waiting tasks of arrays may start
   * @param memory of the pass before, which this one uses up; that of another planner is as none
   */
  public Planned plan(SchedulerView view, Instant now, ArrayTaskGate gate, Memory memory) {
    WorkingSet known = memory.take();
    WorkingSet here =
        known != null && known.serves(this, view) ? known : workingSet(view, now, false);
    here.queue().follow(view, now);
    boolean sawOwnUser = here.ledger().sawOwnUser() || here.queue().sawOwnUser();
    if (sawOwnUser && !here.usersMatter()) {
      here = workingSet(view, now, true);
      here.queue().follow(view, now);
    }
    long number = memory.passes + 1;
    PlanningTimeline outlook = new PlanningTimeline(here.ledger(), now.getEpochSecond());
    SchedulingPass pass =
        new SchedulingPass(
            new PlanBuilder.PassInput(view, now, gate, here.round(), here.overdue(), number),
            here.options(),
            here.queue(),
            outlook);
    SchedulingPlan plan = pass.run();
    Instant whole = waitsForEnding(view, now);
    plan = plan.withWakes(earlier(whole, earlier(plan.wakes(), nextBoundary(view, now))));
    return new Planned(
        whole == null ? plan : withoutStarts(plan), new Memory(number, pass.promised(), here));
  }

  /** When a reservation begins or ends next, null for at no time. */
  private static @Nullable Instant nextBoundary(SchedulerView view, Instant now) {
    Instant next = null;
    for (Reservation one : view.reservations()) {
      for (Instant at : List.of(one.start(now), one.end(now))) {
        next = at.isAfter(now) ? earlier(next, at) : next;
      }
    }
    return next;
  }

  private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    return one == null || other != null && other.isBefore(one) ? other : one;
  }

  private WorkingSet workingSet(SchedulerView view, Instant now, boolean usersMatter) {
    PlannerOptions options = choose.apply(view.settings());
    AllocationLedger ledger = AllocationLedger.loaded(view, options.estimates());
    AllocationLedger idle = AllocationLedger.idle(view);
    RequestClasses shapes = new RequestClasses(view, ledger, idle);
    return new WorkingSet(
        this,
        view.settings(),
        options,
        view.partitions(),
        view.reservations(),
        ledger,
        idle,
        new JobQueue(view, options, shapes, usersMatter, now),
        new ReservationRefreshRound(options.promises().interval().toSeconds()),
        new LinkedHashSet<>(),
        usersMatter);
  }

  /**
   * CompleteWait: as long as a job has just ended, its nodes are left to become whole again; until
   * when, null if for no job.
   */
  private static @Nullable Instant waitsForEnding(SchedulerView view, Instant now) {
    Duration wait = view.settings().jobs().completeWait();
    Instant last = null;
    for (Job job : wait.isZero() ? List.<Job>of() : view.active().values()) {
      Instant until =
          job.state() instanceof JobState.Completing completing
              ? completing.end().plus(wait)
              : null;
      if (until != null && now.isBefore(until) && (last == null || until.isAfter(last))) {
        last = until;
      }
    }
    return last;
  }

  private static SchedulingPlan withoutStarts(SchedulingPlan plan) {
    IntMap<PendingVerdict> verdicts = plan.verdicts();
    for (Placement start : plan.starts()) {
      verdicts = verdicts.with(start.jobId(), PendingVerdict.of(PendingReason.RESOURCES));
    }
    return new SchedulingPlan(
        List.of(), verdicts, plan.unfinished(), List.of(), plan.wakes(), plan.reserved());
  }
}
