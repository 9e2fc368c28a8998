package io.dure.core.rollout;

import io.dure.core.collection.IntMap;
import io.dure.core.config.PartitionConfig;
import io.dure.core.history.Run;
import io.dure.core.history.RunBook;
import io.dure.core.history.RunKind;
import io.dure.core.model.Afterwards;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.reservation.Occurrences;
import io.dure.core.reservation.Reservation;
import io.dure.core.scheduler.PartitionRules;
import io.dure.core.scheduler.Placement;
import io.dure.core.scheduler.Plan;
import io.dure.core.scheduler.Preemption;
import io.dure.core.scheduler.Readiness;
import io.dure.core.scheduler.RunEnd;
import io.dure.core.scheduler.SchedulerView;
import io.dure.core.scheduler.Times;
import io.dure.core.scheduler.Verdict;
import io.dure.core.scheduler.plan.Planner;
import io.dure.core.scheduler.policy.Order;
import io.dure.core.scheduler.preempt.MakingRoom;
import io.dure.core.scheduler.preempt.Preemptability;
import io.dure.core.scheduler.preempt.Resumption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A future of a cluster: the scheduler itself plans it, from second to second in which something
 * happens. In each first runs end, then jobs come, then the scheduler is asked once. Jobs that wait
 * for others, begin times, arrays, heterogeneous jobs, reservations that begin and end, and jobs
 * that make room are as in the cluster, and who would miss its deadline leaves; nodes do not fail,
 * and every job that ends was successful.
 *
 * <p>The same arguments give the same future. Its cost is that of the passes. One thread.
 */
public final class Rollout {
  private static final int MOST_IN_A_SECOND = 20;

  /** Tasks of arrays that are over have ids too, of which a view says nothing. */
  private static final int BEYOND = 1 << 20;

  private final Course course;
  private final Planner planner;
  private final Ends ends;
  private final Conditions conditions = new Conditions();
  private final TreeSet<Long> wakes = new TreeSet<>();
  private final TreeMap<Integer, Instant> starts = new TreeMap<>();
  private final long begin;
  private Imagined view;
  private long now;
  private boolean begun;
  private int passes;
  private int fresh;
  private Plan last = new Plan(List.of(), IntMap.empty(), false);
  private final List<Placement> lately = new ArrayList<>();
  private final TreeMap<Long, List<Integer>> beginning = new TreeMap<>();

  /** Whose deadline cannot be met from that second on. */
  private final TreeMap<Long, List<Integer>> missing = new TreeMap<>();

  /** A future that begins now. */
  public Rollout(SchedulerView from, Instant now, Course course) {
    this.course = course;
    view = Imagined.of(from);
    begin = Times.second(now);
    this.now = begin;
    planner = new Planner(course.options());
    ends = new Ends(course.lifetimes());
    Preemptability rules = rules(now);
    for (Job job : view.active().values()) {
      ends.take(view, job, begin);
      if (job.state() instanceof JobState.Suspended still) {
        wake(Resumption.patientUntil(still), now);
      }
      wakePreemptible(rules, job, now);
      JobState.Running run = job.state().underWay();
      if (run != null) {
        starts.put(job.id(), run.start());
      }
    }
    for (Job job : view.pending().values()) {
      conditions.know(job);
      wakeReady(job, now);
    }
    fresh = BEYOND + Math.max(highest(view.pending().keys()), highest(view.active().keys()));
  }

  private static int highest(List<Integer> keys) {
    return keys.isEmpty() ? 0 : keys.getLast();
  }

  /** The cluster as it is at that point of its future. */
  public Imagined view() {
    return view;
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
  public Plan plan() {
    return last;
  }

  /** What has started in the last second that was looked at. */
  public List<Placement> lately() {
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
      if (passes >= until || next() > horizon.getEpochSecond() || !step()) {
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

  /** The second of the next pass, {@link Times#NEVER} if nothing happens any more. */
  private long next() {
    if (!begun) {
      return begin;
    }
    long next = Math.min(ends.next(), course.arrivals().next());
    next = wakes.isEmpty() ? next : Math.min(next, wakes.first());
    long late = (long) (course.coarseness() * (now - begin));
    return next >= Times.NEVER ? Times.NEVER : Math.max(next, now + late);
  }

  /** The next pass; false if nothing happens any more. */
  public boolean step() {
    long next = next();
    if (next >= Times.NEVER) {
      return false;
    }
    begun = true;
    now = Math.max(now, next);
    Instant instant = Instant.ofEpochSecond(now);
    for (Integer id = ends.poll(now); id != null; id = ends.poll(now)) {
      over(id, instant);
    }
    wakes.headSet(now, true).clear();
    while (course.arrivals().next() <= now) {
      Job job = course.arrivals().take(fresh++);
      conditions.know(job);
      wakeReady(job, instant);
      view = view.queue(job);
    }
    lately.clear();
    settle(instant);
    plan(instant);
    if (course.detail() == Course.Detail.SETTLED) {
      for (int more = 1; more < MOST_IN_A_SECOND && !isSettled(); more++) {
        plan(instant);
      }
    }
    return true;
  }

  private boolean isSettled() {
    return last.starts().isEmpty() && last.preemptions().isEmpty();
  }

  /** The cluster is that from now on; what waits in it is counted where it is known. */
  private void become(Imagined next) {
    IntMap<Job> before = view.pending();
    view = next;
    if (course.detail() == Course.Detail.SETTLED) {
      before.forEachDifference(
          next.pending(),
          id -> {
            RunBook counted = view.runs().changed(before.get(id), next.pending().get(id));
            view = view.with(counted);
          });
    }
  }

  /** Those whose time has come grow older from now on. */
  private void beginDue(Instant instant) {
    NavigableMap<Long, List<Integer>> due = beginning.headMap(now, true);
    for (List<Integer> jobs : due.values()) {
      for (int id : jobs) {
        Job job = view.pending().get(id);
        if (job != null && job.eligibleTime() == null && Readiness.of(job, instant) == null) {
          become(view.queue(job.withEligible(instant)));
        }
      }
    }
    due.clear();
  }

  private void settle(Instant instant) {
    beginDue(instant);
    dropLate();
    conditions.passed();
    become(conditions.release(view, instant, wakes::add));
    if (ends.anyPaused()) {
      resume(instant);
    }
    forgetReservations(instant);
    for (Reservation one : view.reservations()) {
      wake(one.start(instant), instant);
      wake(one.end(instant), instant);
    }
  }

  /** Those that are over and do not come again keep nobody out, nor are they planned around. */
  private void forgetReservations(Instant instant) {
    List<Reservation> left = new ArrayList<>();
    for (Reservation one : view.reservations()) {
      boolean over = !instant.isBefore(one.end(instant)) && Occurrences.next(one) == null;
      if (!over || isUsed(one)) {
        left.add(one);
      }
    }
    if (left.size() < view.reservations().size()) {
      view = view.reserving(left);
    }
  }

  /** Whether a job runs in it, or is to. */
  private boolean isUsed(Reservation one) {
    String name = one.name();
    return view.pending().any(job -> job.spec().reservations().contains(name))
        || view.active()
            .any(job -> {
              JobState.Running run = job.state().underWay();
              return run != null && name.equals(run.allocation().reservation());
            });
  }

  private void wake(@Nullable Instant at, Instant from) {
    if (at != null && at.isAfter(from)) {
      wakes.add(Times.second(at));
    }
  }

  private void wakeReady(Job job, Instant from) {
    Verdict waits = Readiness.of(job, from);
    Instant begins = waits == null ? null : waits.expectedStart();
    if (begins != null) {
      wake(begins, from);
      beginning.computeIfAbsent(Times.second(begins), _ -> new ArrayList<>()).add(job.id());
    }
    wake(Readiness.switchesUntil(job, view.settings()), from);
    Instant latest = Readiness.latestStart(job.spec());
    if (latest != null) {
      Instant late = latest.plusSeconds(1);
      wake(late, from);
      missing.computeIfAbsent(Times.second(late), _ -> new ArrayList<>()).add(job.id());
    }
  }

  /** Those go who would miss their deadlines, unless it is not known what that is to others. */
  private void dropLate() {
    NavigableMap<Long, List<Integer>> late = missing.headMap(now, true);
    for (List<Integer> jobs : late.values()) {
      for (int id : jobs) {
        Job job = view.pending().get(id);
        if (job != null && !conditions.isAwaited(job)) {
          become(view.withdraw(id));
        }
      }
    }
    late.clear();
  }

  @SuppressWarnings("ReferenceEquality") // a queue that nobody was freed in is the same object
  private void plan(Instant instant) {
    passes++;
    last =
        planner.plan(view, instant, (waiting, index) -> Conditions.mayStart(view, waiting, index));
    Preemptability rules = rules(instant);
    for (Placement placement : last.starts()) {
      Job waiting = view.pending().get(placement.jobId());
      if (waiting == null) {
        continue;
      }
      if (course.detail() == Course.Detail.SETTLED) {
        // As in the cluster, what starts has waited when it starts.
        view = view.with(view.runs().started(instant));
      }
      Imagined.Start start = view.start(placement, instant, fresh++);
      become(start.view());
      Job job = start.job();
      lately.add(placement);
      starts.putIfAbsent(placement.jobId(), instant);
      starts.putIfAbsent(job.id(), instant);
      ends.take(view, job, now);
      conditions.changed(job);
      wakePreemptible(rules, job, instant);
    }
    if (!last.preemptions().isEmpty()) {
      makeRoom(instant);
    }
    if (!last.starts().isEmpty()) {
      Imagined before = view;
      become(conditions.release(view, instant, wakes::add));
      if (before.pending() != view.pending()) {
        // Who waited for a start is looked at with the next pass.
        wakes.add(now + 1);
      }
    }
  }

  /** A run is over. */
  private void over(int id, Instant at) {
    Job job = view.active().get(id);
    if (job == null) {
      return;
    }
    Afterwards afterGrace =
        job.state() instanceof JobState.Running running ? MakingRoom.afterGrace(running, at) : null;
    free(job, at);
    if (afterGrace != null && afterGrace != Afterwards.END) {
      requeue(job, at);
      return;
    }
    if (job.state() instanceof JobState.Completing ended && ended.afterwards() != Afterwards.END) {
      requeue(job, at);
      return;
    }
    learn(job, at);
    conditions.changed(job);
    if (job.het() != null && job.het().leads()) {
      for (int other = job.het().leader() + 1; other <= job.het().last(); other++) {
        Job component = view.active().get(other);
        if (component != null) {
          free(component, at);
          learn(component, at);
          conditions.changed(component);
        }
      }
    }
  }

  private void free(Job job, Instant at) {
    ends.forget(job.id());
    view = view.end(job.id(), at);
  }

  /** How long it ran tells of the jobs like it. */
  private void learn(Job job, Instant at) {
    JobState.Running run = job.state().underWay();
    PartitionConfig partition = run == null ? null : view.partition(run.allocation().partition());
    if (run != null && partition != null && course.detail() == Course.Detail.SETTLED) {
      long limit = Times.seconds(PartitionRules.runTime(partition, job.spec()));
      RunKind kind = RunKind.of(job.spec(), limit);
      Run ran = new Run(Times.seconds(run.ran(at)), limit);
      view = view.with(view.runs().ended(job.owner().uid(), kind, ran));
    }
  }

  private void requeue(Job job, Instant at) {
    Instant from = at.plus(view.settings().scheduling().requeueDelay());
    wakes.add(Times.second(from));
    JobState waits = new JobState.Pending(Hold.NONE, from, List.of(), false, true);
    become(view.queue(job.withState(waits).withEligible(from)));
  }

  private @Nullable Preemptability rules(Instant at) {
    Preemptability none = Preemptability.of(view, (job, _) -> job.priority());
    if (none == null) {
      return null;
    }
    Order.Scores scores = course.options().order().at(view, at);
    return Preemptability.of(view, (job, partition) -> -scores.of(job, partition));
  }

  private void wakePreemptible(@Nullable Preemptability rules, Job job, Instant from) {
    JobState.Running run = job.state().underWay();
    if (rules != null && run != null) {
      wake(rules.eligible(job, run.start()), from);
    }
  }

  private void makeRoom(Instant at) {
    Preemptability rules = rules(at);
    if (rules == null) {
      return;
    }
    for (Preemption one : last.preemptions()) {
      for (MakingRoom.Fate fate : MakingRoom.of(view, rules, one, at)) {
        // Its place is free now, or soon: then the other job is placed.
        wakes.add(now + 1);
        switch (fate) {
          case MakingRoom.Fate.Suspends(Job victim, JobState.Running run) -> {
            ends.pause(victim.id(), now);
            JobState.Suspended still =
                new JobState.Suspended(run, at, JobState.Suspended.Cause.PREEMPTION, one.jobId());
            wake(Resumption.patientUntil(still), at);
            view = view.suspend(victim.withState(still), run.allocation(), at);
          }
          case MakingRoom.Fate.Ends(Job victim, Afterwards afterwards) -> {
            free(victim, at);
            if (afterwards == Afterwards.END) {
              conditions.changed(victim);
            } else {
              requeue(victim, at);
            }
          }
          case MakingRoom.Fate.IsTold(Job victim, JobState.Running run, JobState.Notice notice) -> {
            view = view.change(victim.withState(run.noticed(notice)));
            ends.atLatest(victim.id(), Times.second(notice.killAt()));
          }
        }
      }
    }
  }

  /** Lets those go on whose cores nobody else has any more. */
  private void resume(Instant at) {
    for (int id : ends.paused()) {
      Job job = view.active().get(id);
      if (job == null
          || !(job.state() instanceof JobState.Suspended stood)
          || !Resumption.isDue(view, stood, at)) {
        continue;
      }
      Instant limit = Resumption.end(view, job.spec(), stood, at);
      JobState.Running run =
          stood
              .run()
              .afterPause(stood.pausesUntil(at).inVain(Resumption.inVain(view, stood, at)), limit);
      Job running = job.withState(run);
      view = view.resume(running, run.allocation(), at);
      Duration grace = RunEnd.grace(view, run.allocation().partition());
      Instant killed = limit == null || grace == null ? null : limit.plus(grace);
      ends.resume(id, now, Times.second(RunEnd.earlier(killed, job.spec().deadline())));
    }
  }
}
