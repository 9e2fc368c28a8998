package io.dure.virtual;

import io.dure.model.collection.IntMap;
import io.dure.model.command.Placement;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationRecurrence;
import io.dure.rules.PlannerTime;
import io.dure.rules.SchedulerView;
import io.dure.rules.preemption.PreemptionEligibility;
import io.dure.rules.queueorder.QueueOrder;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A cluster on virtual time, from second to second in which something happens: the one place
 * outside the controller where jobs go on. In each second first runs end, then nodes fail or come
 * back, then jobs come; then the scheduler is asked, once or until nothing more comes of it. Jobs
 * that wait for others, begin times, arrays, heterogeneous jobs, reservations that begin and end,
 * and jobs that make room are as in the cluster, and a job that would miss its deadline leaves.
 *
 * <p>The same arguments give the same future. Its cost is that of the passes. One thread.
 */
public final class VirtualCluster {
  private static final int MOST_IN_A_SECOND = 20;

  /** Jobs in the queue for each second for which a pass may be late. */
  private static final int JOBS_A_SECOND = 5;

  /** Tasks of arrays that are over have ids too, of which a view says nothing. */
  private static final int BEYOND = 1 << 20;

  private final VirtualClusterOptions options;
  private final VirtualClusterPorts ports;
  private final JobLifecycle jobs;
  private final WakeupSchedule wakeups;
  private final RunEndQueue ends;
  private final DependencyTracker dependencies;
  private final TreeMap<Integer, Instant> starts = new TreeMap<>();
  private final long begin;
  private VirtualScheduler scheduler;
  private Planner.Memory memory = Planner.Memory.none();
  private long now;
  private boolean begun;
  private int passes;
  private int fresh;
  private long pace;
  private long lastPass = Long.MIN_VALUE / 2;
  private SchedulingPlan last = new SchedulingPlan(List.of(), IntMap.empty(), false);
  private final List<Placement> lately = new ArrayList<>();

  /** The last second in which anything but a reservation that repeats happened. */
  private long lastEvent;

  private boolean awaitsPass;

  /** One that begins now, with nothing from outside. */
  public VirtualCluster(SchedulerView from, Instant now, VirtualClusterOptions options) {
    this(from, now, options, VirtualClusterPorts.of(options));
  }

  /** One that begins now. */
  public VirtualCluster(
      SchedulerView from, Instant now, VirtualClusterOptions options, VirtualClusterPorts ports) {
    this.options = options;
    this.ports = ports;
    scheduler = ports.scheduler();
    begin = PlannerTime.second(now);
    this.now = begin;
    lastEvent = begin;
    jobs = new JobLifecycle(VirtualClusterView.of(from), now, options, ports);
    wakeups = jobs.wakeups();
    ends = jobs.ends();
    dependencies = jobs.dependencies();
    for (Job job : view().active().values()) {
      JobState.Running run = job.state().runningOrSuspended();
      if (run != null) {
        starts.put(job.id(), run.start());
      }
    }
    fresh = BEYOND + Math.max(highest(view().pending().keys()), highest(view().active().keys()));
  }

  /** One that goes on from another. */
  private VirtualCluster(
      VirtualCluster before,
      SchedulerView from,
      VirtualClusterOptions options,
      VirtualClusterPorts ports) {
    this.options = options;
    this.ports = ports;
    scheduler = ports.scheduler();
    begin = before.begin;
    now = before.now;
    begun = before.begun;
    jobs = new JobLifecycle(before.jobs, VirtualClusterView.of(from), options, ports);
    wakeups = jobs.wakeups();
    ends = jobs.ends();
    dependencies = jobs.dependencies();
    starts.putAll(before.starts);
    passes = before.passes;
    fresh = before.fresh;
    pace = before.pace;
    lastPass = before.lastPass;
    last = before.last;
    lastEvent = before.lastEvent;
    awaitsPass = before.awaitsPass;
  }

  /**
   * The same jobs going on otherwise; this one stays as it is and may go on too.
   *
   * @param from the cluster in which they do, with all that runs and waits here
   */
  public VirtualCluster fork(
      SchedulerView from, VirtualClusterOptions otherwise, VirtualClusterPorts others) {
    return new VirtualCluster(this, from, otherwise, others);
  }

  private static int highest(List<Integer> keys) {
    return keys.isEmpty() ? 0 : keys.getLast();
  }

  /** The cluster as it is at that point of its future. */
  public VirtualClusterView view() {
    return jobs.view();
  }

  /** That point, a whole second. */
  public Instant now() {
    return Instant.ofEpochSecond(now);
  }

  /** How often the scheduler was asked. */
  public int passes() {
    return passes;
  }

  /** What it said the last time. */
  public SchedulingPlan plan() {
    return last;
  }

  /** What has started in the last second that was looked at. */
  public List<Placement> lastStarts() {
    return Collections.unmodifiableList(lately);
  }

  /**
   * When jobs have started for the first time, by the ids of their records; that of an array's
   * waiting tasks with the first of them. Those that ran at the beginning are among them.
   */
  public Map<Integer, Instant> starts() {
    return Collections.unmodifiableMap(starts);
  }

  /** When a job has started, null if it has not. */
  public @Nullable Instant startOf(int job) {
    return starts.get(job);
  }

  // Orders.

  /** A job that waits is this one now. */
  public void update(Job waiting) {
    jobs.update(waiting);
  }

  /** Something is to be looked at in that second. */
  public void wake(long second) {
    wakeups.wake(second);
  }

  /** A node is lost, and with it what runs there; it takes no jobs any more. */
  public void fail(int node, Instant at) {
    jobs.fail(node, at);
    jobs.become(view().available(node, false));
  }

  /** Runs take as long from then on as lifetimes say now. */
  public void retime(Instant at) {
    jobs.retime(at);
  }

  /** Other rules may say otherwise which jobs have to make room, and when. */
  public void wakePreemptible(Instant at) {
    PreemptionEligibility rules = jobs.exemptions();
    for (Job job : view().active().values()) {
      jobs.wakePreemptible(rules, job, at);
    }
  }

  /**
   * Has the scheduler asked less often where many jobs wait.
   *
   * @param most how far apart passes are at most
   * @param brief plans from now on
   */
  public void pace(Duration most, VirtualScheduler brief) {
    pace = most.toSeconds();
    scheduler = brief;
  }

  // Time.

  /**
   * Goes on until all of these have started.
   *
   * @param horizon no pass is made behind it
   * @param most how many passes there are at most
   * @return whether all have
   */
  public boolean untilStarted(Collection<Integer> jobs, Instant horizon, int most) {
    TreeSet<Integer> left = new TreeSet<>(jobs);
    left.removeAll(starts.keySet());
    int until = passes + most;
    while (!left.isEmpty()) {
      if (passes >= until || !stepWithin(horizon)) {
        return false;
      }
      for (Placement start : lately) {
        left.remove(start.jobId());
      }
    }
    return true;
  }

  /** The same for one job: when it starts, null if that is not reached. */
  public @Nullable Instant untilStarted(int job, Instant horizon, int most) {
    untilStarted(List.of(job), horizon, most);
    return starts.get(job);
  }

  /**
   * The second in which something happens next, {@link PlannerTime#NEVER} if nothing does any more.
   */
  private long next() {
    if (!begun) {
      return begin;
    }
    long next = nextByItself();
    long repeat = wakeups.nextRepeat();
    if (next < PlannerTime.NEVER || awaitsPass || repeat <= lastEvent + wholePeriod()) {
      next = Math.min(next, repeat);
    }
    long late = (long) (options.coarseness() * (now - begin));
    return next >= PlannerTime.NEVER ? PlannerTime.NEVER : Math.max(next, now + late);
  }

  /** The same without what comes again and again. */
  private long nextByItself() {
    long next = Math.min(Math.min(ends.next(), options.arrivals().next()), wakeups.next());
    if (options.fidelity() != VirtualClusterOptions.Fidelity.ONE_PASS
        || next >= PlannerTime.NEVER) {
      next = Math.min(next, wakeups.nextLate(view().pending()));
    }
    if (next < PlannerTime.NEVER || ports.failures().anyDown() && awaitsNodes()) {
      next = Math.min(next, ports.failures().next());
    }
    return next;
  }

  /**
   * Seconds in which each reservation that repeats has come and gone: what lets no job start in
   * that time, while nothing else happens, never does.
   */
  private long wholePeriod() {
    return view().reservations().stream()
        .filter(Reservation::repeats)
        .mapToLong(one ->
            ReservationRecurrence.period(one)
                .plus(Duration.between(one.start(), one.end()))
                .toSeconds())
        .max()
        .orElse(0);
  }

  /** Whether a job waits that nodes that come back may let start. */
  private boolean awaitsNodes() {
    return view()
        .pending()
        .any(job ->
            job.state() instanceof JobState.Pending pending && pending.waitingFor().isEmpty());
  }

  /** The next second in which something happens; false if nothing does any more. */
  public boolean step() {
    long next = next();
    boolean some = next < PlannerTime.NEVER;
    if (some) {
      step(next);
    }
    return some;
  }

  /** Lets happen what happens before that second. */
  public void runTo(long second) {
    long last = Math.min(second, PlannerTime.NEVER);
    for (long next = next(); next < last; next = next()) {
      step(next);
    }
  }

  /** The same, unless it is behind the horizon. */
  public boolean stepWithin(Instant horizon) {
    return next() <= horizon.getEpochSecond() && step();
  }

  private void step(long next) {
    begun = true;
    now = Math.max(now, next);
    Instant instant = Instant.ofEpochSecond(now);
    if (nextByItself() <= now) {
      lastEvent = now;
    }
    for (RunEndQueue.QueuedEnd end = ends.poll(now); end != null; end = ends.poll(now)) {
      jobs.over(end, instant);
    }
    wakeups.passed(now);
    reserve(instant);
    changeNodes(instant);
    while (options.arrivals().next() <= now) {
      for (Job job : options.arrivals().take(view(), () -> fresh++)) {
        jobs.arrive(job, instant);
      }
    }
    lately.clear();
    settle(instant);
    boolean moved = plan(instant);
    if (moved) {
      lastEvent = now;
    }
    for (int more = 1; isSettling() && moved && more < MOST_IN_A_SECOND; more++) {
      moved = plan(instant);
    }
    if (moved && isSettling() || dependencies.areOpen()) {
      // A job that waited for a start comes with the next pass.
      wakeups.wake(now + 1);
    }
  }

  private boolean isSettling() {
    return options.fidelity() == VirtualClusterOptions.Fidelity.SETTLED;
  }

  private void changeNodes(Instant instant) {
    for (NodeFailures.Change change = ports.failures().poll(now);
        change != null;
        change = ports.failures().poll(now)) {
      if (change.fails()) {
        fail(change.node(), instant);
      } else {
        jobs.become(view().available(change.node(), true));
      }
    }
  }

  private void settle(Instant instant) {
    jobs.beginDue(instant);
    dependencies.passed();
    dependencies.release(jobs, instant, wakeups::wake);
    jobs.dropLate(instant);
    if (ends.anyPaused()) {
      jobs.resume(instant);
    }
  }

  /** Reservations that are over come again, or keep no job out any more. */
  private void reserve(Instant instant) {
    if (view().reservations().isEmpty()) {
      return;
    }
    List<Reservation> left = new ArrayList<>();
    for (Reservation one : view().reservations()) {
      Reservation next = instant.isBefore(one.end(instant)) ? one : after(one, instant);
      if (next != null) {
        left.add(next);
        wake(next, next.start(instant), instant);
        wake(next, next.end(instant), instant);
      }
    }
    if (!left.equals(view().reservations())) {
      jobs.become(view().reserving(left));
    }
  }

  private void wake(Reservation one, Instant at, Instant from) {
    if (!one.repeats()) {
      wakeups.wake(at, from);
    } else if (at.isAfter(from)) {
      wakeups.repeat(PlannerTime.second(at));
    }
  }

  /** What becomes of a reservation that is over: it stays while it is used. */
  private @Nullable Reservation after(Reservation one, Instant instant) {
    String name = one.name();
    boolean runs =
        view()
            .active()
            .any(job -> {
              JobState.Running run = job.state().runningOrSuspended();
              return run != null && name.equals(run.allocation().reservation());
            });
    if (runs && one.binds()) {
      return one;
    }
    Reservation next = ReservationRecurrence.after(one, instant);
    boolean asked = view().pending().any(job -> job.spec().reservations().contains(name));
    return next == null && (runs || asked) ? one : next;
  }

  /** With a long queue the scheduler is not asked again at once, but when it is time. */
  private boolean isTimeToPlan() {
    if (options.fidelity() == VirtualClusterOptions.Fidelity.REPLAY && view().pending().isEmpty()) {
      awaitsPass = false;
      return false;
    }
    long next = lastPass + Math.min(pace, view().pending().size() / JOBS_A_SECOND);
    awaitsPass = now < next;
    if (awaitsPass) {
      wakeups.repeat(next);
    }
    return !awaitsPass;
  }

  /** A pass; whether anything came of it. */
  private boolean plan(Instant instant) {
    if (!isTimeToPlan()) {
      return false;
    }
    lastPass = now;
    passes++;
    ports.orders().beforePass(jobs, instant);
    Planner.Planned planned =
        scheduler.plan(
            view(),
            instant,
            (waiting, index) -> dependencies.mayStart(view(), waiting, index),
            memory);
    memory = planned.memory();
    last = planned.plan();
    if (!last.reserved().isEmpty()) {
      ports.observer().reserved(last.reserved(), instant);
      last.reserved().values().forEach(wakeups::wake);
    }
    PreemptionEligibility exemptions = jobs.exemptions();
    for (Placement placement : last.starts()) {
      Job job = jobs.start(placement, instant, () -> fresh++);
      if (job != null) {
        lately.add(placement);
        starts.putIfAbsent(placement.jobId(), instant);
        if (job.id() != placement.jobId()) {
          starts.putIfAbsent(job.id(), instant);
        }
        jobs.wakePreemptible(exemptions, job, instant);
      }
    }
    boolean roomier = !last.preemptions().isEmpty() && makeRoom(instant);
    boolean moved = roomier || !last.starts().isEmpty();
    if (moved && ends.anyPaused()) {
      jobs.resume(instant);
    }
    if (roomier && !isSettling()) {
      // What is placed where room was made comes with the next pass.
      wakeups.wake(now + 1);
    }
    return moved;
  }

  private boolean makeRoom(Instant at) {
    if (jobs.exemptions() == null) {
      return false;
    }
    QueueOrder.Scores scores = options.options().order().scoresAt(view(), at);
    PreemptionEligibility rules =
        PreemptionEligibility.of(view(), (job, partition) -> -scores.of(job, partition));
    return rules != null && jobs.makeRoom(last.preemptions(), rules, at);
  }
}
