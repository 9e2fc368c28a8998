package io.dure.core.rollout;

import io.dure.core.collection.IntMap;
import io.dure.core.config.PartitionConfig;
import io.dure.core.history.Run;
import io.dure.core.history.RunBook;
import io.dure.core.history.RunKind;
import io.dure.core.model.Afterwards;
import io.dure.core.model.ExitStatus;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import io.dure.core.model.Outcome;
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
import io.dure.core.scheduler.dependency.Dependencies;
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
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A future of a cluster: the scheduler itself plans it, from second to second in which something
 * happens. In each first runs end, then jobs come, then the scheduler is asked, once or until
 * nothing more comes of it. Jobs that wait for others, begin times, arrays, heterogeneous jobs,
 * reservations that begin and end, and jobs that make room are as in the cluster, and who would
 * miss its deadline leaves; nodes do not fail, and every job that ends by itself was successful.
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
  private final Conditions conditions;
  private final Diary diary = new Diary();
  private final TreeMap<Integer, Instant> starts = new TreeMap<>();
  private final long begin;
  private Imagined view;
  private long now;
  private boolean begun;
  private int passes;
  private int fresh;
  private Plan last = new Plan(List.of(), IntMap.empty(), false);
  private final List<Placement> lately = new ArrayList<>();

  /** A future that begins now. */
  public Rollout(SchedulerView from, Instant now, Course course) {
    this.course = course;
    view = Imagined.of(from);
    begin = Times.second(now);
    this.now = begin;
    planner = new Planner(course.options());
    ends = new Ends(course.lifetimes());
    conditions = new Conditions(view);
    Preemptability rules = rules(now);
    for (Job job : view.active().values()) {
      ends.take(view, job, begin);
      if (job.state() instanceof JobState.Suspended still) {
        diary.wake(Resumption.patientUntil(still), now);
      }
      wakePreemptible(rules, job, now);
      JobState.Running run = job.state().underWay();
      if (run != null) {
        starts.put(job.id(), run.start());
      }
    }
    for (Job job : view.pending().values()) {
      note(job, now);
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
    long next = Math.min(Math.min(ends.next(), course.arrivals().next()), diary.next());
    if (isSettling() || next >= Times.NEVER) {
      next = Math.min(next, diary.nextLate(view.pending()));
    }
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
    for (Ends.End end = ends.poll(now); end != null; end = ends.poll(now)) {
      over(end, instant);
    }
    diary.passed(now);
    while (course.arrivals().next() <= now) {
      Job job = course.arrivals().take(fresh++);
      note(job, instant);
      view = view.queue(job);
    }
    lately.clear();
    settle(instant);
    boolean moved = plan(instant);
    for (int more = 1; isSettling() && moved && more < MOST_IN_A_SECOND; more++) {
      moved = plan(instant);
    }
    if (moved && isSettling()) {
      diary.wake(now + 1);
    }
    return true;
  }

  private boolean isSettling() {
    return course.detail() == Course.Detail.SETTLED;
  }

  /** The cluster is that from now on; what waits in it is counted where it is known. */
  private void become(Imagined next) {
    IntMap<Job> before = view.pending();
    view = next;
    if (isSettling()) {
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
    for (int id : diary.begun(now)) {
      Job job = view.pending().get(id);
      if (job != null && job.eligibleTime() == null && Readiness.of(job, instant) == null) {
        become(view.queue(job.withEligibleTime(instant)));
      }
    }
  }

  private void settle(Instant instant) {
    beginDue(instant);
    conditions.passed();
    become(conditions.release(view, instant, diary::wake));
    dropLate(instant);
    if (ends.anyPaused()) {
      resume(instant);
    }
    forgetReservations(instant);
    for (Reservation one : view.reservations()) {
      diary.wake(one.start(instant), instant);
      diary.wake(one.end(instant), instant);
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

  /** A job that waits is known, with all that it waits for. */
  private void note(Job job, Instant from) {
    conditions.know(job);
    diary.note(job, from);
    diary.wake(Readiness.switchesUntil(job, view.settings()), from);
  }

  /** Those go who would miss their deadlines. */
  private void dropLate(Instant instant) {
    for (int id : diary.late(now)) {
      Job job = view.pending().get(id);
      if (job != null) {
        Outcome missed = new Outcome.DeadlineMissed(ExitStatus.OK);
        become(conditions.drop(view, job, missed, instant));
      }
    }
  }

  /** A pass; whether anything came of it. */
  private boolean plan(Instant instant) {
    passes++;
    last =
        planner.plan(view, instant, (waiting, index) -> conditions.mayStart(view, waiting, index));
    Preemptability rules = rules(instant);
    for (Placement placement : last.starts()) {
      Job waiting = view.pending().get(placement.jobId());
      if (waiting == null) {
        continue;
      }
      if (isSettling()) {
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
      conditions.started(job);
      wakePreemptible(rules, job, instant);
    }
    boolean roomier = !last.preemptions().isEmpty() && makeRoom(instant);
    boolean moved = roomier || !last.starts().isEmpty();
    if (moved && ends.anyPaused()) {
      resume(instant);
    }
    if (conditions.areOpen() || roomier && !isSettling()) {
      // Who waited for a start, and what is placed where room was made, come with the next pass.
      diary.wake(now + 1);
    }
    return moved;
  }

  /** A run is over since then; what it held is free now. */
  private void over(Ends.End end, Instant at) {
    Job job = view.active().get(end.job());
    if (job == null) {
      return;
    }
    Instant ended = Instant.ofEpochSecond(end.second());
    Afterwards afterwards = Over.afterwards(job, ended);
    free(job, at);
    if (afterwards != null && afterwards != Afterwards.END) {
      requeue(job, at);
      return;
    }
    end(job, at, Over.outcome(job, afterwards, ended));
    if (job.het() != null && job.het().leads()) {
      for (int other = job.het().leader() + 1; other <= job.het().last(); other++) {
        Job component = view.active().get(other);
        if (component != null) {
          free(component, at);
          end(component, at, Over.outcome(component, null, ended));
        }
      }
    }
  }

  private void end(Job job, Instant at, Outcome outcome) {
    JobState.Running run = job.state().underWay();
    if (outcome instanceof Outcome.Completed && run != null) {
      learn(job, run, at);
    }
    Instant start = job.state() instanceof JobState.Completing over ? over.start() : null;
    conditions.ended(job, run == null ? start : run.start(), at, outcome);
  }

  private void free(Job job, Instant at) {
    ends.forget(job.id());
    view = view.end(job.id(), at);
  }

  /** How long it ran tells of the jobs like it. */
  private void learn(Job job, JobState.Running run, Instant at) {
    PartitionConfig partition = view.partition(run.allocation().partition());
    if (partition != null && isSettling()) {
      long limit = Times.seconds(PartitionRules.runTime(partition, job.spec()));
      RunKind kind = RunKind.of(job.spec(), limit);
      Run ran = new Run(Times.seconds(run.ran(at)), limit);
      view = view.with(view.runs().ended(job.owner().uid(), kind, ran));
    }
  }

  private void requeue(Job job, Instant at) {
    Instant from = at.plus(view.settings().scheduling().requeueDelay());
    Hold hold = Over.hold(job, view.settings().jobs().maxBatchRequeue());
    JobState waits = new JobState.Pending(hold, from, Dependencies.again(job), false, true);
    Job back = job.withState(waits).withEligibleTime(null);
    conditions.returned(back);
    note(back, at);
    become(view.queue(back));
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
      diary.wake(rules.eligible(job, run.start()), from);
    }
  }

  /** Whether somebody makes room, now or soon. */
  private boolean makeRoom(Instant at) {
    Preemptability rules = rules(at);
    if (rules == null) {
      return false;
    }
    boolean some = false;
    for (Preemption one : last.preemptions()) {
      for (MakingRoom.Fate fate : MakingRoom.of(view, rules, one, at)) {
        some = true;
        switch (fate) {
          case MakingRoom.Fate.Suspends(Job victim, JobState.Running run) -> {
            ends.pause(victim.id(), now);
            JobState.Suspended still =
                new JobState.Suspended(run, at, JobState.Suspended.Cause.PREEMPTION, one.jobId());
            diary.wake(Resumption.patientUntil(still), at);
            view = view.suspend(victim.withState(still), run.allocation(), at);
          }
          case MakingRoom.Fate.Ends(Job victim, Afterwards afterwards) -> {
            free(victim, at);
            if (afterwards == Afterwards.END) {
              end(victim, at, new Outcome.Preempted(ExitStatus.OK));
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
    return some;
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
