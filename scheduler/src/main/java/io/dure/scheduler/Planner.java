package io.dure.scheduler;

import io.dure.model.collection.IntMap;
import io.dure.model.command.PendingReason;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Placement;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.PartitionConfig;
import io.dure.model.job.JobState;
import io.dure.model.reservation.Reservation;
import io.dure.placement.AllocationLedger;
import io.dure.rules.SchedulerView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Says which pending jobs start now and why the others wait. Jobs are considered by priority tier
 * and order; those that have to wait are promised the earliest start at which they fit if all that
 * run keep to their estimates, and jobs behind them start only if they break no promise.
 *
 * <p>A plan is a function of the view, the time and the options alone, and what a planner keeps
 * from plan to plan saves work and changes nothing: but for promises to others than the first of a
 * partition, where the options bound what a pass may look at, which stay as they were made until
 * they no longer hold or their turn comes; and but for a long queue whose order is worked out anew,
 * which takes some passes ({@link SchedulingPlan#unfinished}). One thread.
 */
public final class Planner {
  private final Function<ClusterSettings, PlannerOptions> choose;
  private @Nullable Room room;
  private long passes;
  private int promised;

  /** What belongs to one description of the cluster. */
  private record Room(
      ClusterSettings settings,
      PlannerOptions options,
      List<PartitionConfig> partitions,
      List<Reservation> reservations,
      AllocationLedger ledger,
      AllocationLedger idle,
      JobQueue queue,
      ReservationRefreshRound round,
      boolean usersMatter) {}

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

  /** A plan of a planner that has seen nothing before. Any thread. */
  public static SchedulingPlan once(SchedulerView view, Instant now) {
    return new Planner().plan(view, now, ArrayTaskGate.OPEN);
  }

  /**
   * Plans.
   *
   * @param view the cluster; one that goes on from the view before it costs time for what changed
   * @param gate tells which waiting tasks of arrays may start
   */
  public SchedulingPlan plan(SchedulerView view, Instant now, ArrayTaskGate gate) {
    Room here = room(view, now);
    // What an exception leaves behind half done is not gone on from.
    room = null;
    here.queue().follow(view, now);
    boolean sawOwnUser = here.ledger().sawOwnUser() || here.queue().sawOwnUser();
    if (sawOwnUser && !here.usersMatter()) {
      here = room(view, now, true);
      here.queue().follow(view, now);
    }
    PlanningTimeline outlook = new PlanningTimeline(here.ledger(), now.getEpochSecond());
    SchedulingPass pass =
        new SchedulingPass(
            new SchedulingPass.PassInput(view, now, gate, here.round(), ++passes),
            here.options(),
            here.queue(),
            outlook);
    SchedulingPlan plan = pass.run();
    promised = pass.promised();
    room = here;
    return waitsForEnding(view, now) ? withoutStarts(plan) : plan;
  }

  /** How many jobs that have to wait the last plan promised a start, or kept their promise. */
  public int promised() {
    return promised;
  }

  /** What the last plan promised a job that has to wait, null if nothing. */
  public @Nullable StartEstimate promiseTo(int jobId) {
    QueuedJob item = room == null ? null : room.queue().item(jobId);
    if (item == null || item.promisedIn != passes || item.verdict == null) {
      return null;
    }
    Instant said = item.verdict.expectedStart();
    return item.bookings.stream()
        .filter(booking -> Objects.equals(booking.verdict().expectedStart(), said))
        .findFirst()
        .map(StartEstimate::of)
        .orElse(null);
  }

  private Room room(SchedulerView view, Instant now) {
    Room known = room;
    return known != null
            && known.settings().equals(view.settings())
            && known.partitions().equals(view.partitions())
            && known.reservations().equals(view.reservations())
            && known.ledger().update(view)
            && known.idle().update(view)
        ? known
        : room(view, now, false);
  }

  private Room room(SchedulerView view, Instant now, boolean usersMatter) {
    PlannerOptions options = choose.apply(view.settings());
    AllocationLedger ledger = AllocationLedger.loaded(view, options.estimates());
    AllocationLedger idle = AllocationLedger.idle(view);
    RequestClasses shapes = new RequestClasses(view, ledger, idle);
    return new Room(
        view.settings(),
        options,
        view.partitions(),
        view.reservations(),
        ledger,
        idle,
        new JobQueue(view, options, shapes, usersMatter, now),
        new ReservationRefreshRound(options.promises().interval().toSeconds()),
        usersMatter);
  }

  /** CompleteWait: as long as a job has just ended, its nodes are left to become whole again. */
  private static boolean waitsForEnding(SchedulerView view, Instant now) {
    Duration wait = view.settings().jobs().completeWait();
    return !wait.isZero()
        && view.active()
            .any(job ->
                job.state() instanceof JobState.Completing completing
                    && now.isBefore(completing.end().plus(wait)));
  }

  private static SchedulingPlan withoutStarts(SchedulingPlan plan) {
    IntMap<PendingVerdict> verdicts = plan.verdicts();
    for (Placement start : plan.starts()) {
      verdicts = verdicts.with(start.jobId(), PendingVerdict.of(PendingReason.RESOURCES));
    }
    return new SchedulingPlan(List.of(), verdicts, plan.unfinished());
  }
}
