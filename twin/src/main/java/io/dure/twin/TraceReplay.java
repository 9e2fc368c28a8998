package io.dure.twin;

import io.dure.model.ArrayPart;
import io.dure.model.ErrorCode;
import io.dure.model.Hold;
import io.dure.model.Job;
import io.dure.model.JobSpec;
import io.dure.model.JobState;
import io.dure.model.collection.IntMap;
import io.dure.model.command.PendingReason;
import io.dure.model.command.PendingVerdict;
import io.dure.model.command.Placement;
import io.dure.model.config.PartitionConfig;
import io.dure.model.hetjob.HetComponent;
import io.dure.model.reservation.Reservation;
import io.dure.rules.SchedulerView;
import io.dure.rules.queueorder.PredictedRunTimes;
import io.dure.scheduler.SchedulingPlan;
import io.dure.twin.nodefailure.NodeFailureModel;
import io.dure.twin.nodefailure.NodeFailureSchedule;
import io.dure.twin.trace.InitialState;
import io.dure.twin.trace.TraceJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Lets the jobs of a trace come, start and end on a virtual clock of whole seconds. What happens in
 * one second happens before the scheduler looks: first jobs end, then nodes fail or come back, then
 * jobs come. The scheduler is asked after each second in which something happened. Used once.
 */
public final class TraceReplay {
  private static final long NEVER = Long.MAX_VALUE;
  private static final int JOBS_A_SECOND = 5;

  private final List<TraceJob> trace;
  private ReplayScheduler engine;
  private final ReplayProgressListener progress;
  private final ReplayMachine machine;
  private final TraceJobRecords jobs;
  private final TraceJobAdmission admission;
  private final TwinCluster cluster;
  private final ReplayQueueRanking ranking;
  private final EstimateSource estimates;
  private final PredictedRunTimes predicted = PredictedRunTimes.unknown();
  private final @Nullable NodeFailureSchedule failures;
  private final ScheduleDigest digest;
  private final RunningJobs runs;
  private final TreeSet<Long> wakes;
  private final @Nullable TraceJobOutcome[] endings;

  /** What jobs asked for that were taken, by their numbers less one. */
  private final @Nullable JobSpec[] taken;

  /** Jobs that waited for others before the replay began, as they were. */
  private final TreeMap<Integer, Job> records = new TreeMap<>();

  private final TraceDependencies dependents;
  private int arrived;
  private int over;
  private long pace;
  private long lastPass = Long.MIN_VALUE / 2;
  private SchedulingPlan last = new SchedulingPlan(List.of(), IntMap.empty(), false);

  /** A replay at its beginning, the cluster empty or as the workload says. */
  public TraceReplay(
      ReplayMachine machine,
      ReplayInput workload,
      ReplayPolicy policy,
      ReplayProgressListener progress) {
    this(machine, workload, policy, progress, ReplaySchedulers.of(policy, machine.settings()));
  }

  /** The same with a scheduler that is told. */
  public TraceReplay(
      ReplayMachine machine,
      ReplayInput workload,
      ReplayPolicy policy,
      ReplayProgressListener progress,
      ReplayScheduler engine) {
    this.machine = machine;
    this.engine = engine;
    this.progress = progress;
    InitialState beginning = workload.beginning();
    trace = workload.jobs();
    jobs = new TraceJobRecords(machine, policy.estimates());
    admission = new TraceJobAdmission(machine, workload.accounts());
    boolean looked = workload.failures() != null || beginning != null;
    cluster = new TwinCluster(machine, workload.accounts(), looked);
    estimates = policy.estimates();
    ranking = new ReplayQueueRanking(policy, second(workload.start()));
    endings = new TraceJobOutcome[trace.size()];
    taken = new JobSpec[trace.size()];
    dependents = new TraceDependencies(trace, endings);
    digest = new ScheduleDigest();
    wakes = new TreeSet<>();
    RunningJobs.ReplayParts parts =
        new RunningJobs.ReplayParts(policy, jobs, cluster, trace, digest, wakes);
    runs = new RunningJobs(parts);
    NodeFailureModel model = workload.failures();
    failures =
        model == null || trace.isEmpty()
            ? null
            : new NodeFailureSchedule(
                model, machine.nodeCount(), second(trace.getFirst().submit()));
    if (beginning != null) {
      begin(beginning, parts);
    }
  }

  /** Goes on from another one, which stays as it is. */
  private TraceReplay(
      TraceReplay before, ReplayContinuation turn, ReplayProgressListener progress) {
    machine = turn.machine();
    ReplayPolicy policy = turn.policy();
    engine = ReplaySchedulers.of(policy, machine.settings(), before.pace > 0);
    this.progress = progress;
    estimates = policy.estimates();
    jobs = new TraceJobRecords(before.jobs, machine);
    admission = new TraceJobAdmission(machine, turn.accounts());
    cluster = new TwinCluster(before.cluster, machine, turn.accounts());
    arrived = before.arrived;
    over = before.over;
    last = before.last;
    pace = before.pace;
    List<TraceJob> all = new ArrayList<>(before.trace);
    all.addAll(arrived, turn.submitted());
    int anew = arrived + turn.submitted().size();
    ReplayRunTimes.ChosenRunTimes told =
        ReplayRunTimes.ChosenRunTimes.of(turn, before.cluster, before.jobs);
    trace = told.of(all, arrived, anew, ReplayRunTimes.ChosenRunTimes.of(turn, cluster, jobs));
    endings = Arrays.copyOf(before.endings, trace.size());
    taken = Arrays.copyOf(before.taken, trace.size());
    records.putAll(before.records);
    dependents = new TraceDependencies(before.dependents, trace, endings);
    digest = new ScheduleDigest(before.digest);
    wakes = new TreeSet<>(before.wakes);
    ranking = new ReplayQueueRanking(before.ranking, policy);
    runs =
        new RunningJobs(
            before.runs, new RunningJobs.ReplayParts(policy, jobs, cluster, trace, digest, wakes));
    failures = null;
    turn(before, turn);
  }

  /** What becomes otherwise at once. */
  private void turn(TraceReplay before, ReplayContinuation turn) {
    Instant at = turn.at();
    wakes.add(second(at));
    wakeForReservations(at);
    if (turn.runTimes() != ReplayRunTimes.AS_THEY_ARE) {
      runs.retime(at);
    }
    runs.look(at);
    if (!before.ranking.isAs(turn.policy())) {
      for (Job job : List.copyOf(cluster.pending().values())) {
        long number = ranking.queued(job.id(), second(job.submitTime()), second(at));
        cluster.queue(job.withSpec(job.spec(), number));
      }
    }
    for (int position = 0; position < machine.nodeCount(); position++) {
      if (machine.isDown(cluster.node(position).config().name())) {
        strike(position, at);
      }
    }
  }

  /** The same, going on otherwise from a second on to which this one has come; it may go on too. */
  public TraceReplay fork(ReplayContinuation turn, ReplayProgressListener hears) {
    if (failures != null) {
      throw new IllegalStateException("failures of nodes are not taken along");
    }
    return new TraceReplay(this, turn, hears);
  }

  /** Takes in what runs and waits already. */
  private void begin(InitialState from, RunningJobs.ReplayParts parts) {
    InitialStateLoader adoption = new InitialStateLoader(parts, dependents, ranking);
    arrived = from.jobs().size();
    adoption.take(from, runs, records);
    for (int i = 0; i < arrived; i++) {
      taken[i] = from.jobs().get(i).record().spec();
    }
    wakeForReservations(from.at());
    wakes.add(second(from.at()));
  }

  private void wakeForReservations(Instant now) {
    for (Reservation one : cluster.reservations()) {
      for (Instant then : List.of(one.start(now), one.end(now))) {
        if (then.isAfter(now)) {
          wakes.add(second(then.plusNanos(999_999_999)));
        }
      }
    }
  }

  private static long second(Instant instant) {
    return instant.getEpochSecond();
  }

  /** Runs until nothing happens any more. */
  public ReplayResult run() {
    runTo(Instant.MAX);
    return schedule();
  }

  /** Lets happen what happens before then. */
  public void runTo(Instant end) {
    long last = end.equals(Instant.MAX) ? NEVER : second(end);
    for (long now = next(); now < last; now = next()) {
      turn(now);
    }
  }

  /** Has the scheduler asked less often where many jobs wait, at most so far apart, and briefly. */
  public void pace(Duration most, ReplayPolicy policy) {
    pace = most.toSeconds();
    engine = ReplaySchedulers.of(policy, machine.settings(), true);
  }

  /** How many jobs of the trace have come, those of the beginning among them. */
  public int arrived() {
    return arrived;
  }

  /** Whether a job has started, or never will; jobs are counted from 0. */
  public boolean isSettled(int job) {
    return endings[job] != null || cluster.active().contains(job + 1);
  }

  /** What came of it until now. */
  public ReplayResult schedule() {
    List<JobResult> results = new ArrayList<>(endings.length);
    for (int i = 0; i < endings.length; i++) {
      TraceJobOutcome ending = endings[i];
      results.add(runs.result(i + 1, ending == null ? open(i + 1) : ending, taken[i]));
    }
    return new ReplayResult(results, machine.cpus(), digest.text(), runs.interruptions());
  }

  /** How it stands with a job that is not over. */
  private TraceJobOutcome open(int job) {
    Job active = cluster.active().get(job);
    JobState.Running run = active == null ? null : active.state().runningOrSuspended();
    if (run != null) {
      return new TraceJobOutcome.Running(run.start());
    }
    if (dependents.waiting().containsKey(job)) {
      return new TraceJobOutcome.NeverStarted(PendingReason.DEPENDENCY);
    }
    PendingVerdict verdict = last.verdicts().get(job);
    return new TraceJobOutcome.NeverStarted(verdict == null ? "Priority" : verdict.reason());
  }

  private long next() {
    long next = arrived < trace.size() ? second(trace.get(arrived).submit()) : NEVER;
    next = Math.min(next, runs.next());
    next = wakes.isEmpty() ? next : Math.min(next, wakes.first());
    boolean waits = failures != null && failures.anyDown() && !cluster.pending().isEmpty();
    return failures == null || next == NEVER && !waits ? next : Math.min(next, failures.next());
  }

  private void turn(long now) {
    for (RunningJobs.EndedRun over = runs.poll(now); over != null; over = runs.poll(now)) {
      settle(over);
    }
    wakes.headSet(now, true).clear();
    reserve(now);
    if (failures != null) {
      for (NodeFailureSchedule.Change change = failures.poll(now);
          change != null;
          change = failures.poll(now)) {
        change(change, now);
      }
    }
    while (arrived < trace.size() && second(trace.get(arrived).submit()) <= now) {
      arrive();
    }
    release(now);
    Instant instant = Instant.ofEpochSecond(now);
    runs.resume(instant);
    if (!cluster.pending().isEmpty() && isTimeToPlan(now)) {
      lastPass = now;
      ranking.refresh(cluster, now);
      last = engine.plan(cluster.view(), instant);
      for (Placement placement : last.starts()) {
        runs.start(placement, instant);
        dependents.started(placement.jobId(), now);
      }
      runs.makeRoom(last, instant).forEach(this::settle);
      if (!last.starts().isEmpty() && release(now)) {
        // Who waited for a start is looked at with the next pass.
        wakes.add(now + 1);
      }
    }
  }

  /** With a long queue nobody is asked again at once; somebody looks when it is time. */
  private boolean isTimeToPlan(long now) {
    long next = lastPass + Math.min(pace, cluster.pending().size() / JOBS_A_SECOND);
    if (now >= next) {
      return true;
    }
    wakes.add(next);
    return false;
  }

  private void reserve(long now) {
    List<Reservation> before = cluster.reservations();
    if (!before.isEmpty()) {
      Instant instant = Instant.ofEpochSecond(now);
      cluster.expire(instant);
      if (!cluster.reservations().equals(before)) {
        wakeForReservations(instant);
      }
    }
  }

  /** The next submission of the trace: a job, or all components of a heterogeneous one. */
  private void arrive() {
    int first = arrived;
    int size = TraceJob.components(trace, first);
    arrived += size;
    List<JobSpec> specs = new ArrayList<>(size);
    String refused = null;
    for (int i = first; i < arrived; i++) {
      TraceJob job = trace.get(i);
      dependents.came(i + 1);
      JobSpec asked = jobs.spec(job);
      Duration limit = jobs.limit(asked);
      long seconds = limit == null ? NEVER : limit.toSeconds();
      if (estimates == EstimateSource.PREDICTED) {
        seconds = predicted(job, asked, i + 1);
      }
      ranking.know(seconds, asked.resources().totalCpus(), second(job.submit()));
      switch (admission.of(job.user(), asked, cluster)) {
        case TraceJobAdmission.Answer.Refused(String why) ->
            refused = refused == null ? why : refused;
        case TraceJobAdmission.Answer.Taken(JobSpec spec) -> {
          specs.add(spec);
          taken[i] = spec;
        }
      }
    }
    for (int i = first; i < arrived; i++) {
      if (refused == null) {
        queue(trace.get(i), i + 1, specs.get(i - first));
      } else {
        finish(i + 1, new TraceJobOutcome.Refused(refused));
      }
    }
  }

  /** How long a job is expected to run as it comes. */
  private long predicted(TraceJob job, JobSpec asked, int id) {
    SchedulerView view = cluster.view();
    Job as = jobs.pending(id, job, asked, 1, job.submit());
    for (String name : asked.partitions()) {
      PartitionConfig partition = machine.partition(name);
      if (partition != null) {
        return predicted.forView(view).seconds(as, partition);
      }
    }
    return NEVER;
  }

  private void queue(TraceJob job, int id, JobSpec spec) {
    Instant begin = spec.beginTime();
    if (begin != null && begin.isAfter(job.submit())) {
      wakes.add(second(begin.plusNanos(999_999_999)));
    }
    if (job.origin() == null || spec.dependency().conditions().isEmpty()) {
      queue(job, id, spec, job.submit());
      return;
    }
    if (dependents.of(id, spec.dependency(), second(job.submit()))
        instanceof TraceDependencies.Answer.Unknown) {
      finish(id, new TraceJobOutcome.Refused(ErrorCode.DEPENDENCY.text()));
      return;
    }
    dependents.keep(id, spec);
  }

  private void queue(TraceJob job, int id, JobSpec spec, Instant from) {
    Job known = records.get(id);
    if (known != null) {
      cluster.queue(known.withEligibleTime(from));
      return;
    }
    long submit = second(job.submit());
    Job waiting = jobs.pending(id, job, spec, ranking.queued(id, submit, second(from)), from);
    TraceJob.Origin origin = job.origin();
    HetComponent part = TraceJobRecords.place(trace, id);
    waiting = part == null ? waiting : TraceJobRecords.component(waiting, part);
    if (origin != null && origin.task() != null && origin.throttle() > 0) {
      int array = dependents.firstOf(origin);
      int task = origin.task();
      // Its shape is for the environment of a job that runs; here none does.
      ArrayPart.Shape shape = new ArrayPart.Shape(1, task, task, 1);
      waiting = waiting.withArray(id, new ArrayPart.Task(array, shape, task, origin.throttle()));
      cluster.joins(array, task, id);
    }
    cluster.queue(waiting);
  }

  /** Lets jobs into the queue that wait for nobody any more; true if there are any. */
  private boolean release(long now) {
    boolean some = false;
    for (int id : List.copyOf(dependents.waiting().keySet())) {
      JobSpec spec = dependents.waiting().get(id);
      if (spec == null) {
        continue;
      }
      switch (dependents.of(id, spec.dependency(), now)) {
        case TraceDependencies.Answer.Holds _ -> {
          dependents.waiting().remove(id);
          queue(trace.get(id - 1), id, spec, Instant.ofEpochSecond(now));
          some = true;
        }
        case TraceDependencies.Answer.NotYet(long again) -> {
          if (again < NEVER) {
            wakes.add(again);
          }
        }
        case TraceDependencies.Answer.Never _, TraceDependencies.Answer.Unknown _ -> {
          dependents.waiting().remove(id);
          finish(id, new TraceJobOutcome.NeverStarted(PendingReason.DEPENDENCY_NEVER));
          some = true;
        }
      }
    }
    return some;
  }

  /** A run is over: the job with it, or it comes back to its place in the queue. */
  private void settle(RunningJobs.EndedRun over) {
    Job job = over.job();
    Instant start = over.run().start();
    if (over.back()) {
      requeue(job, over.at());
      return;
    }
    finish(
        job.id(),
        switch (over.cause()) {
          case ITSELF -> new TraceJobOutcome.Finished(start, over.at());
          case LIMIT -> new TraceJobOutcome.TimedOut(start, over.at());
          case PREEMPTION -> new TraceJobOutcome.Preempted(start, over.at());
          case NODE -> new TraceJobOutcome.NodeFailed(start, over.at());
        });
  }

  private void requeue(Job job, Instant at) {
    runs.forget(job.id());
    Instant from = at.plus(machine.settings().scheduling().requeueDelay());
    wakes.add(second(from));
    JobState waits = new JobState.Pending(Hold.NONE, from, List.of(), false, true);
    long number = ranking.queued(job.id(), second(job.submitTime()), second(at));
    cluster.queue(job.withSpec(job.spec(), number).withState(waits).withEligibleTime(from));
  }

  private void finish(int job, TraceJobOutcome ending) {
    endings[job - 1] = ending;
    dependents.over(job);
    over++;
    progress.at(over, endings.length);
  }

  private void change(NodeFailureSchedule.Change change, long now) {
    if (change.fails()) {
      strike(change.node(), Instant.ofEpochSecond(now));
    }
    cluster.setAvailable(change.node(), !change.fails());
  }

  /** A node is gone, and with it what ran there. */
  private void strike(int node, Instant at) {
    List<Integer> struck = cluster.node(node).shares().keys();
    for (int id : struck) {
      Job job = cluster.active().get(id);
      if (job != null) {
        runs.lose(job, at).forEach(this::settle);
      }
    }
  }
}
