package io.dure.twin;

import io.dure.model.Allocation;
import io.dure.model.Job;
import io.dure.model.JobSpec;
import io.dure.model.JobState;
import io.dure.model.PostRunAction;
import io.dure.model.accounting.TresAmounts;
import io.dure.model.command.Placement;
import io.dure.model.command.Preemption;
import io.dure.model.gres.GresCount;
import io.dure.rules.RunEndTime;
import io.dure.rules.SchedulerView;
import io.dure.rules.preemption.PreemptionActions;
import io.dure.rules.preemption.PreemptionEligibility;
import io.dure.rules.preemption.ResumeRules;
import io.dure.rules.priority.PriorityTable;
import io.dure.rules.queueorder.DurePriorityTable;
import io.dure.scheduler.SchedulingPlan;
import io.dure.twin.trace.TraceJob;
import io.dure.virtual.VirtualClusterView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What runs: when it ends by itself, by a limit or because it has to make room, and when it stands
 * still. What becomes of whom is said by the rules of the controller. For one thread.
 */
final class RunningJobs {
  private static final long NEVER = Long.MAX_VALUE;

  private final ReplayParts parts;
  private final TraceJobRecords jobs;
  private final TwinCluster cluster;
  private final List<TraceJob> trace;
  private final PriorityQueue<End> ends = new PriorityQueue<>();

  /** When each job's run ends, by its number less one; never for one that does not run. */
  private final long[] endsAt;

  private final int[] cpus;
  private final long[] gpus;

  /** How many seconds of its run each suspended job has left. */
  private final TreeMap<Integer, Long> suspended = new TreeMap<>();

  private final Map<Integer, List<JobResult.Pause>> pauses = new TreeMap<>();
  private final TreeSet<Integer> madeRoom = new TreeSet<>();
  private int cancelled;
  private int requeued;
  private int suspensions;
  private int lowered;
  private int lost;
  private ReplayResult.ComputeTime madeRoomWork = ReplayResult.ComputeTime.NONE;
  private ReplayResult.ComputeTime struckWork = ReplayResult.ComputeTime.NONE;

  /** When a run ends unless something else becomes of it before. */
  private record End(long second, int job) implements Comparable<End> {
    @Override
    public int compareTo(End other) {
      int byTime = Long.compare(second, other.second);
      return byTime == 0 ? Integer.compare(job, other.job) : byTime;
    }
  }

  /** What ended a run. */
  enum EndCause {
    /** It was done. */
    ITSELF,
    /** Its limit. */
    LIMIT,
    /** Another job, for which it made room. */
    PREEMPTION,
    /** Its node. */
    NODE
  }

  /**
   * A run that is over.
   *
   * @param job as it ran
   * @param run its run
   * @param at when it ended
   * @param cause what ended it
   * @param back whether it goes back into the queue
   */
  record EndedRun(Job job, JobState.Running run, Instant at, EndCause cause, boolean back) {}

  /**
   * What runs belong to.
   *
   * @param wakes seconds in which somebody has to look, whatever else happens
   */
  record ReplayParts(
      ReplayPolicy policy,
      TraceJobRecords jobs,
      TwinCluster cluster,
      List<TraceJob> trace,
      ScheduleDigest digest,
      Set<Long> wakes) {}

  RunningJobs(ReplayParts parts) {
    this.parts = parts;
    jobs = parts.jobs();
    cluster = parts.cluster();
    trace = parts.trace();
    endsAt = new long[trace.size()];
    Arrays.fill(endsAt, NEVER);
    cpus = new int[trace.size()];
    gpus = new long[trace.size()];
  }

  /**
   * The same runs among other parts, of which the trace may be longer. What befell jobs is counted
   * from here on.
   */
  RunningJobs(RunningJobs before, ReplayParts parts) {
    this(parts);
    int known = Math.min(trace.size(), before.trace.size());
    System.arraycopy(before.endsAt, 0, endsAt, 0, known);
    System.arraycopy(before.cpus, 0, cpus, 0, known);
    System.arraycopy(before.gpus, 0, gpus, 0, known);
    ends.addAll(before.ends);
    suspended.putAll(before.suspended);
    before.pauses.forEach((job, its) -> pauses.put(job, new ArrayList<>(its)));
  }

  /** When the next run ends. */
  long next() {
    End end = ends.peek();
    return end == null ? NEVER : end.second();
  }

  private void endAt(int job, long second) {
    endsAt[job - 1] = second;
    if (second < NEVER) {
      ends.add(new End(second, job));
    }
  }

  /** Starts what the scheduler placed. */
  void start(Placement placement, Instant now) {
    VirtualClusterView view = cluster.view();
    Job running = view.running(placement, cluster.pending().require(placement.jobId()), now);
    JobState.Running run = (JobState.Running) running.state();
    Allocation allocation = run.allocation();
    lowered += placement.limit() == null ? 0 : 1;
    cluster.start(running, now);
    int id = running.id();
    holds(id, allocation);
    parts.digest().start(now.getEpochSecond(), id, allocation);
    Duration lasts = jobs.lasts(trace.get(id - 1), between(now, killed(running, run.end())));
    endAt(id, now.getEpochSecond() + lasts.toSeconds());
    wakeWhenEligible(view, running, now);
  }

  /** Somebody looks again once a running job may have to make room. */
  private void wakeWhenEligible(SchedulerView view, Job running, Instant now) {
    PreemptionEligibility rules = PreemptionEligibility.of(view, (one, _) -> one.priority());
    if (rules != null) {
      Instant eligible = rules.eligible(running, now);
      if (eligible.isAfter(now)) {
        parts.wakes().add(eligible.getEpochSecond());
      }
    }
  }

  private void holds(int id, Allocation allocation) {
    cpus[id - 1] = allocation.cpus();
    gpus[id - 1] = TresAmounts.of(allocation).of("gres/" + GresCount.GPU);
  }

  /** Takes in a job that ran or stood still before the replay began, for so long in all. */
  void adopt(Job job, Duration lasts, Instant now) {
    JobState.Running run = job.state().runningOrSuspended();
    if (run == null) {
      throw new IllegalArgumentException("it does not run: " + job);
    }
    holds(job.id(), run.allocation());
    cluster.adopt(job, now);
    if (job.state() instanceof JobState.Suspended stood) {
      suspended.put(job.id(), Math.max(1, lasts.minus(run.elapsed(stood.since())).toSeconds()));
      parts.wakes().add(second(ResumeRules.patientUntil(stood)));
      return;
    }
    end(job, run, lasts, now);
    wakeWhenEligible(cluster.view(), job, now);
  }

  private void end(Job job, JobState.Running run, Duration lasts, Instant now) {
    long left = Math.max(1, lasts.minus(run.elapsed(now)).toSeconds());
    // Who was told to make room gets no more time on top of his grace.
    Instant grace = run.notice() == null ? null : run.notice().killAt();
    Instant killed = RunEndTime.earlier(killed(job, run.end()), grace);
    long second = now.getEpochSecond();
    long latest = killed == null ? NEVER : Math.max(second + 1, killed.getEpochSecond());
    endAt(job.id(), Math.min(second + left, latest));
  }

  /** Goes on among other rules: they may say otherwise who has to make room, and when. */
  void look(Instant now) {
    SchedulerView view = cluster.view();
    for (Job job : view.active().values()) {
      wakeWhenEligible(view, job, now);
    }
  }

  /** Jobs that run take otherwise long from now on: as long as the trace says now. */
  void retime(Instant now) {
    for (Job job : List.copyOf(cluster.active().values())) {
      JobState.Running run = job.state().runningOrSuspended();
      Duration lasts = trace.get(job.id() - 1).run();
      if (run != null && job.state() instanceof JobState.Suspended stood) {
        suspended.put(job.id(), Math.max(1, lasts.minus(run.elapsed(stood.since())).toSeconds()));
      } else if (run != null) {
        end(job, run, lasts, now);
      }
    }
  }

  /** The first second that is not before then. */
  private static long second(Instant then) {
    return then.plusNanos(999_999_999).getEpochSecond();
  }

  private static @Nullable Duration between(Instant now, @Nullable Instant end) {
    return end == null ? null : Duration.between(now, end);
  }

  /** When a run is ended that is to end then. */
  private @Nullable Instant killed(Job job, @Nullable Instant limit) {
    JobState.Running run = job.state().runningOrSuspended();
    Duration grace =
        run == null ? null : RunEndTime.grace(cluster.view(), run.allocation().partition());
    Instant late = limit == null || grace == null ? null : limit.plus(grace);
    return RunEndTime.earlier(late, job.spec().deadline());
  }

  /** The next run that is over by then, null if none is. What it held is free. */
  @Nullable EndedRun poll(long second) {
    for (End end = ends.peek(); end != null && end.second() <= second; end = ends.peek()) {
      ends.poll();
      Job job = cluster.active().get(end.job());
      JobState.Running run = job == null ? null : job.state().runningOrSuspended();
      if (job != null && run != null && endsAt[end.job() - 1] == end.second()) {
        endWithLeader(job, end.second());
        return over(job, run, Instant.ofEpochSecond(end.second()));
      }
    }
    return null;
  }

  /** The components of a heterogeneous job end with the one that leads. */
  private void endWithLeader(Job job, long second) {
    if (job.het() != null && job.het().leads()) {
      for (Job other : together(job)) {
        if (other.id() != job.id()) {
          endAt(other.id(), second);
        }
      }
    }
  }

  private EndedRun over(Job job, JobState.Running run, Instant at) {
    PostRunAction afterGrace = PreemptionActions.afterGrace(run, at);
    if (afterGrace != null && ran(job, run, at).compareTo(trace.get(job.id() - 1).run()) < 0) {
      return preempted(job, run, afterGrace, at);
    }
    boolean cut = ran(job, run, at).compareTo(trace.get(job.id() - 1).run()) < 0;
    Duration lasted = ran(job, run, at);
    free(job, at);
    cluster.learn(job, run, lasted);
    return new EndedRun(job, run, at, cut ? EndCause.LIMIT : EndCause.ITSELF, false);
  }

  private Duration ran(Job job, JobState.Running run, Instant at) {
    return job.state() instanceof JobState.Suspended suspended
        ? run.elapsed(suspended.since())
        : run.elapsed(at);
  }

  /** What a run has done by then. */
  private ReplayResult.ComputeTime work(Job job, JobState.Running run, Instant at) {
    long seconds = ran(job, run, at).toSeconds();
    int index = job.id() - 1;
    return new ReplayResult.ComputeTime(seconds * cpus[index], seconds * gpus[index]);
  }

  private void free(Job job, Instant at) {
    int id = job.id();
    endsAt[id - 1] = NEVER;
    suspended.remove(id);
    if (job.state() instanceof JobState.Suspended stood) {
      paused(id, stood.since(), at);
    }
    cluster.end(id, at);
  }

  private void paused(int id, Instant from, Instant to) {
    pauses
        .computeIfAbsent(id, _ -> new ArrayList<>())
        .add(new JobResult.Pause(from.getEpochSecond(), to.getEpochSecond()));
  }

  /** A node is lost, and with it the job; what it held is free, on all nodes. */
  List<EndedRun> lose(Job job, Instant at) {
    List<EndedRun> all = new ArrayList<>();
    for (Job one : together(job)) {
      JobState.Running run = one.state().runningOrSuspended();
      if (run != null) {
        struckWork = struckWork.plus(work(one, run, at));
        free(one, at);
        boolean back = one.spec().requeue().allows(cluster.view().settings().jobs().requeue());
        lost += back ? 1 : 0;
        all.add(new EndedRun(one, run, at, EndCause.NODE, back));
      }
    }
    return all;
  }

  /** The job, and what runs of the heterogeneous job that it belongs to. */
  private List<Job> together(Job job) {
    if (job.het() == null) {
      return List.of(job);
    }
    List<Job> all = new ArrayList<>();
    for (int id = job.het().leader(); id <= job.het().last(); id++) {
      Job one = cluster.active().get(id);
      if (one != null) {
        all.add(one);
      }
    }
    return all;
  }

  /** Lets jobs make room as planned; those whose runs are over by that. */
  List<EndedRun> makeRoom(SchedulingPlan plan, Instant now) {
    List<EndedRun> all = new ArrayList<>();
    for (Preemption one : plan.preemptions()) {
      VirtualClusterView view = cluster.view();
      PreemptionEligibility rules = PreemptionEligibility.of(view, priorities(view, one, now));
      if (rules == null) {
        continue;
      }
      for (PreemptionActions.VictimAction fate : PreemptionActions.of(view, rules, one, now)) {
        madeRoom.add(fate.victim().id());
        // Its place is free now, or soon: then the other job is placed.
        parts.wakes().add(now.getEpochSecond() + 1);
        switch (fate) {
          case PreemptionActions.VictimAction.Suspends(Job victim, JobState.Running run) ->
              suspend(victim, run, one.jobId(), now);
          case PreemptionActions.VictimAction.Ends(Job victim, PostRunAction afterwards) -> {
            JobState.Running run = victim.state().runningOrSuspended();
            if (run != null) {
              all.add(preempted(victim, run, afterwards, now));
            }
          }
          case PreemptionActions.VictimAction.IsTold(
                  Job victim,
                  JobState.Running run,
                  JobState.PreemptionNotice notice) -> {
            cluster.change(victim.withState(run.noticed(notice)));
            long end = notice.killAt().getEpochSecond();
            if (end < endsAt[victim.id() - 1]) {
              endAt(victim.id(), end);
            }
          }
        }
      }
    }
    return all;
  }

  private PreemptionEligibility.Priorities priorities(
      VirtualClusterView view, Preemption one, Instant now) {
    if (parts.policy().order() == QueueOrderPolicy.DURE) {
      return DurePriorityTable.of(view, now)::priority;
    }
    if (parts.policy().order() != QueueOrderPolicy.MULTIFACTOR
        || !PriorityTable.isInForce(view.settings())) {
      return (job, _) -> job.priority();
    }
    List<Job> named = new ArrayList<>();
    add(named, view.pending().get(one.jobId()));
    one.victims().forEach(victim -> add(named, view.active().get(victim.jobId())));
    return PriorityTable.of(view, view.accounts(), view.usage(), named, now)::priority;
  }

  private static void add(List<Job> jobs, @Nullable Job job) {
    if (job != null) {
      jobs.add(job);
    }
  }

  private EndedRun preempted(Job job, JobState.Running run, PostRunAction afterwards, Instant at) {
    boolean back = afterwards != PostRunAction.END;
    requeued += back ? 1 : 0;
    cancelled += back ? 0 : 1;
    madeRoomWork = madeRoomWork.plus(work(job, run, at));
    free(job, at);
    return new EndedRun(job, run, at, EndCause.PREEMPTION, back);
  }

  private void suspend(Job victim, JobState.Running run, int forJob, Instant now) {
    suspensions++;
    int id = victim.id();
    suspended.put(id, endsAt[id - 1] - now.getEpochSecond());
    endsAt[id - 1] = NEVER;
    parts.digest().pause(now.getEpochSecond(), id);
    JobState.Suspended stands =
        new JobState.Suspended(run, now, JobState.Suspended.Cause.PREEMPTION, forJob);
    cluster.suspend(victim.withState(stands), run.allocation(), now);
    parts.wakes().add(second(ResumeRules.patientUntil(stands)));
  }

  /** Lets those go on whose cores nobody else has any more. */
  void resume(Instant now) {
    for (int id : List.copyOf(suspended.keySet())) {
      Job job = cluster.active().require(id);
      VirtualClusterView view = cluster.view();
      if (job.state() instanceof JobState.Suspended stood && ResumeRules.isDue(view, stood, now)) {
        Instant limit = ResumeRules.end(view, job.spec(), stood, now);
        JobState.Running run =
            stood
                .run()
                .afterPause(
                    stood.pausesUntil(now).inVain(ResumeRules.absentPreemptor(view, stood, now)),
                    limit);
        Job running = job.withState(run);
        cluster.resume(running, run.allocation(), now);
        paused(id, stood.since(), now);
        long left = suspended.getOrDefault(id, 0L);
        suspended.remove(id);
        Duration most = between(now, killed(running, limit));
        left = most == null ? left : Math.min(left, Math.max(0, most.toSeconds()));
        endAt(id, now.getEpochSecond() + left);
      }
    }
  }

  /** The job is in the queue again: what stood still of its run is nobody's concern. */
  void forget(int job) {
    pauses.remove(job);
  }

  /** What became of a job of the trace. */
  JobResult result(int job, TraceJobOutcome ending, @Nullable JobSpec taken) {
    return new JobResult(
        trace.get(job - 1),
        cpus[job - 1],
        ending,
        pauses.getOrDefault(job, List.of()),
        gpus[job - 1],
        taken);
  }

  /** What befell jobs while they ran. */
  ReplayResult.Interruptions interruptions() {
    return new ReplayResult.Interruptions(
        madeRoom.size(), cancelled, requeued, suspensions, lost, lowered, madeRoomWork, struckWork);
  }
}
