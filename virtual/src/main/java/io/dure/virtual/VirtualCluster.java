package io.dure.virtual;

import io.dure.model.ExitStatus;
import io.dure.model.Hold;
import io.dure.model.Job;
import io.dure.model.JobOutcome;
import io.dure.model.JobState;
import io.dure.model.PostRunAction;
import io.dure.model.collection.IntMap;
import io.dure.model.command.Placement;
import io.dure.model.command.Preemption;
import io.dure.model.config.PartitionConfig;
import io.dure.model.history.RecordedRun;
import io.dure.model.history.RunHistory;
import io.dure.model.history.SimilarRunKey;
import io.dure.model.reservation.Reservation;
import io.dure.model.reservation.ReservationRecurrence;
import io.dure.rules.JobReadiness;
import io.dure.rules.PartitionRules;
import io.dure.rules.PlannerTime;
import io.dure.rules.RunEndTime;
import io.dure.rules.SchedulerView;
import io.dure.rules.dependency.DependencyResolver;
import io.dure.rules.preemption.PreemptionActions;
import io.dure.rules.preemption.PreemptionEligibility;
import io.dure.rules.preemption.ResumeRules;
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
 * A future of a cluster: the scheduler itself plans it, from second to second in which something
 * happens. In each first runs end, then jobs come, then the scheduler is asked, once or until
 * nothing more comes of it. Jobs that wait for others, begin times, arrays, heterogeneous jobs,
 * reservations that begin and end, and jobs that make room are as in the cluster, and who would
 * miss its deadline leaves; nodes do not fail, and every job that ends by itself was successful.
 *
 * <p>The same arguments give the same future. Its cost is that of the passes. One thread.
 */
public final class VirtualCluster {
  private static final int MOST_IN_A_SECOND = 20;

  /** Tasks of arrays that are over have ids too, of which a view says nothing. */
  private static final int BEYOND = 1 << 20;

  private final VirtualClusterOptions course;
  private final Planner planner;
  private final RunEndQueue ends;
  private final DependencyTracker conditions;
  private final WakeupSchedule diary = new WakeupSchedule();
  private final TreeMap<Integer, Instant> starts = new TreeMap<>();
  private final long begin;
  private VirtualClusterView view;
  private long now;
  private boolean begun;
  private int passes;
  private int fresh;
  private SchedulingPlan last = new SchedulingPlan(List.of(), IntMap.empty(), false);
  private final List<Placement> lately = new ArrayList<>();

  /** A future that begins now. */
  public VirtualCluster(SchedulerView from, Instant now, VirtualClusterOptions course) {
    this.course = course;
    view = VirtualClusterView.of(from);
    begin = PlannerTime.second(now);
    this.now = begin;
    planner = new Planner(course.options());
    ends = new RunEndQueue(course.lifetimes());
    conditions = new DependencyTracker(view);
    PreemptionEligibility rules = rules(now);
    for (Job job : view.active().values()) {
      ends.take(view, job, begin);
      if (job.state() instanceof JobState.Suspended still) {
        diary.wake(ResumeRules.patientUntil(still), now);
      }
      wakePreemptible(rules, job, now);
      JobState.Running run = job.state().runningOrSuspended();
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
  public VirtualClusterView view() {
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

  /** The second of the next pass, {@link PlannerTime#NEVER} if nothing happens any more. */
  private long next() {
    if (!begun) {
      return begin;
    }
    long next = Math.min(Math.min(ends.next(), course.arrivals().next()), diary.next());
    if (isSettling() || next >= PlannerTime.NEVER) {
      next = Math.min(next, diary.nextLate(view.pending()));
    }
    long late = (long) (course.coarseness() * (now - begin));
    return next >= PlannerTime.NEVER ? PlannerTime.NEVER : Math.max(next, now + late);
  }

  /** The next pass; false if nothing happens any more. */
  public boolean step() {
    long next = next();
    if (next >= PlannerTime.NEVER) {
      return false;
    }
    begun = true;
    now = Math.max(now, next);
    Instant instant = Instant.ofEpochSecond(now);
    for (RunEndQueue.QueuedEnd end = ends.poll(now); end != null; end = ends.poll(now)) {
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
    return course.detail() == VirtualClusterOptions.Detail.SETTLED;
  }

  /** The cluster is that from now on; what waits in it is counted where it is known. */
  private void become(VirtualClusterView next) {
    IntMap<Job> before = view.pending();
    view = next;
    if (isSettling()) {
      before.forEachDifference(
          next.pending(),
          id -> {
            RunHistory counted = view.runs().changed(before.get(id), next.pending().get(id));
            view = view.with(counted);
          });
    }
  }

  /** Those whose time has come grow older from now on. */
  private void beginDue(Instant instant) {
    for (int id : diary.begun(now)) {
      Job job = view.pending().get(id);
      if (job != null
          && job.eligibleTime() == null
          && JobReadiness.blockingVerdict(job, instant) == null) {
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
      boolean over = !instant.isBefore(one.end(instant)) && ReservationRecurrence.next(one) == null;
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
              JobState.Running run = job.state().runningOrSuspended();
              return run != null && name.equals(run.allocation().reservation());
            });
  }

  /** A job that waits is known, with all that it waits for. */
  private void note(Job job, Instant from) {
    conditions.know(job);
    diary.note(job, from);
    diary.wake(JobReadiness.switchesUntil(job, view.settings()), from);
  }

  /** Those go who would miss their deadlines. */
  private void dropLate(Instant instant) {
    for (int id : diary.late(now)) {
      Job job = view.pending().get(id);
      if (job != null) {
        JobOutcome missed = new JobOutcome.DeadlineMissed(ExitStatus.OK);
        become(conditions.drop(view, job, missed, instant));
      }
    }
  }

  /** A pass; whether anything came of it. */
  private boolean plan(Instant instant) {
    passes++;
    last =
        planner.plan(view, instant, (waiting, index) -> conditions.mayStart(view, waiting, index));
    PreemptionEligibility rules = rules(instant);
    for (Placement placement : last.starts()) {
      Job waiting = view.pending().get(placement.jobId());
      if (waiting == null) {
        continue;
      }
      if (isSettling()) {
        // As in the cluster, what starts has waited when it starts.
        view = view.with(view.runs().started(instant));
      }
      VirtualClusterView.StartedJob start = view.start(placement, instant, fresh++);
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
  private void over(RunEndQueue.QueuedEnd end, Instant at) {
    Job job = view.active().get(end.job());
    if (job == null) {
      return;
    }
    Instant ended = Instant.ofEpochSecond(end.second());
    PostRunAction afterwards = RunEndOutcome.afterwards(job, ended);
    free(job, at);
    if (afterwards != null && afterwards != PostRunAction.END) {
      requeue(job, at);
      return;
    }
    end(job, at, RunEndOutcome.outcome(job, afterwards, ended));
    if (job.het() != null && job.het().leads()) {
      for (int other = job.het().leader() + 1; other <= job.het().last(); other++) {
        Job component = view.active().get(other);
        if (component != null) {
          free(component, at);
          end(component, at, RunEndOutcome.outcome(component, null, ended));
        }
      }
    }
  }

  private void end(Job job, Instant at, JobOutcome outcome) {
    JobState.Running run = job.state().runningOrSuspended();
    if (outcome instanceof JobOutcome.Completed && run != null) {
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
      long limit = PlannerTime.seconds(PartitionRules.runTime(partition, job.spec()));
      SimilarRunKey kind = SimilarRunKey.of(job.spec(), limit);
      RecordedRun ran = new RecordedRun(PlannerTime.seconds(run.elapsed(at)), limit);
      view = view.with(view.runs().ended(job.owner().uid(), kind, ran));
    }
  }

  private void requeue(Job job, Instant at) {
    Instant from = at.plus(view.settings().scheduling().requeueDelay());
    Hold hold = RunEndOutcome.hold(job, view.settings().jobs().maxBatchRequeue());
    JobState waits =
        new JobState.Pending(
            hold, from, DependencyResolver.dependenciesAfterRequeue(job), false, true);
    Job back = job.withState(waits).withEligibleTime(null);
    conditions.returned(back);
    note(back, at);
    become(view.queue(back));
  }

  private @Nullable PreemptionEligibility rules(Instant at) {
    PreemptionEligibility none = PreemptionEligibility.of(view, (job, _) -> job.priority());
    if (none == null) {
      return null;
    }
    QueueOrder.Scores scores = course.options().order().scoresAt(view, at);
    return PreemptionEligibility.of(view, (job, partition) -> -scores.of(job, partition));
  }

  private void wakePreemptible(@Nullable PreemptionEligibility rules, Job job, Instant from) {
    JobState.Running run = job.state().runningOrSuspended();
    if (rules != null && run != null) {
      diary.wake(rules.eligible(job, run.start()), from);
    }
  }

  /** Whether somebody makes room, now or soon. */
  private boolean makeRoom(Instant at) {
    PreemptionEligibility rules = rules(at);
    if (rules == null) {
      return false;
    }
    boolean some = false;
    for (Preemption one : last.preemptions()) {
      for (PreemptionActions.VictimAction fate : PreemptionActions.of(view, rules, one, at)) {
        some = true;
        switch (fate) {
          case PreemptionActions.VictimAction.Suspends(Job victim, JobState.Running run) -> {
            ends.pause(victim.id(), now);
            JobState.Suspended still =
                new JobState.Suspended(run, at, JobState.Suspended.Cause.PREEMPTION, one.jobId());
            diary.wake(ResumeRules.patientUntil(still), at);
            view = view.suspend(victim.withState(still), run.allocation(), at);
          }
          case PreemptionActions.VictimAction.Ends(Job victim, PostRunAction afterwards) -> {
            free(victim, at);
            if (afterwards == PostRunAction.END) {
              end(victim, at, new JobOutcome.Preempted(ExitStatus.OK));
            } else {
              requeue(victim, at);
            }
          }
          case PreemptionActions.VictimAction.IsTold(
                  Job victim,
                  JobState.Running run,
                  JobState.PreemptionNotice notice) -> {
            view = view.change(victim.withState(run.noticed(notice)));
            ends.atLatest(victim.id(), PlannerTime.second(notice.killAt()));
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
          || !ResumeRules.isDue(view, stood, at)) {
        continue;
      }
      Instant limit = ResumeRules.end(view, job.spec(), stood, at);
      JobState.Running run =
          stood
              .run()
              .afterPause(
                  stood.pausesUntil(at).inVain(ResumeRules.absentPreemptor(view, stood, at)),
                  limit);
      Job running = job.withState(run);
      view = view.resume(running, run.allocation(), at);
      Duration grace = RunEndTime.grace(view, run.allocation().partition());
      Instant killed = limit == null || grace == null ? null : limit.plus(grace);
      ends.resume(id, now, PlannerTime.second(RunEndTime.earlier(killed, job.spec().deadline())));
    }
  }
}
