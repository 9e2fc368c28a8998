package io.dure.simulator.twin;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.collection.IntMap;
import io.dure.core.config.PartitionConfig;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.model.JobState;
import io.dure.core.model.het.HetPart;
import io.dure.core.reservation.Reservation;
import io.dure.core.scheduler.Placement;
import io.dure.core.scheduler.Plan;
import io.dure.core.scheduler.Reason;
import io.dure.core.scheduler.SchedulerView;
import io.dure.core.scheduler.Verdict;
import io.dure.core.scheduler.policy.Predicted;
import io.dure.simulator.twin.failure.FailureModel;
import io.dure.simulator.twin.failure.NodeFailures;
import io.dure.simulator.twin.trace.Beginning;
import io.dure.simulator.twin.trace.TraceJob;
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
public final class Replay {
  private static final long NEVER = Long.MAX_VALUE;
  private static final int JOBS_A_SECOND = 5;

  private final List<TraceJob> trace;
  private Engine engine;
  private final Progress progress;
  private final Machine machine;
  private final TwinJobs jobs;
  private final Admission admission;
  private final TwinCluster cluster;
  private final Ranking ranking;
  private final Estimates estimates;
  private final Predicted predicted = Predicted.unknown();
  private final @Nullable NodeFailures failures;
  private final ScheduleDigest digest;
  private final Runs runs;
  private final TreeSet<Long> wakes;
  private final @Nullable Ending[] endings;

  /** What jobs asked for that were taken, by their numbers less one. */
  private final @Nullable JobSpec[] taken;

  /** Jobs that waited for others before the replay began, as they were. */
  private final TreeMap<Integer, Job> records = new TreeMap<>();

  private final Dependents dependents;
  private int arrived;
  private int over;
  private long pace;
  private long lastPass = Long.MIN_VALUE / 2;
  private Plan last = new Plan(List.of(), IntMap.empty(), false);

  /**
   * How a replay goes on from a second on.
   *
   * @param at that second
   * @param machine the machine, with all nodes that there were
   * @param accounts whom jobs are charged to, null where nobody looks at it
   * @param policy how it orders, overtakes and estimates
   * @param submitted jobs that come then
   * @param runTimes how long those run that have not ended
   */
  public record Turn(
      Instant at,
      Machine machine,
      @Nullable AccountingTree accounts,
      Policy policy,
      List<TraceJob> submitted,
      RunTimes runTimes) {
    public Turn {
      submitted = List.copyOf(submitted);
    }
  }

  /** A replay at its beginning, the cluster empty or as the workload says. */
  public Replay(Machine machine, Workload workload, Policy policy, Progress progress) {
    this(machine, workload, policy, progress, Engines.of(policy, machine.settings()));
  }

  /** The same with a scheduler that is told. */
  public Replay(
      Machine machine, Workload workload, Policy policy, Progress progress, Engine engine) {
    this.machine = machine;
    this.engine = engine;
    this.progress = progress;
    Beginning beginning = workload.beginning();
    trace = workload.jobs();
    jobs = new TwinJobs(machine, policy.estimates());
    admission = new Admission(machine, workload.accounts());
    boolean looked = workload.failures() != null || beginning != null;
    cluster = new TwinCluster(machine, workload.accounts(), looked);
    estimates = policy.estimates();
    ranking = new Ranking(policy, second(workload.start()));
    endings = new Ending[trace.size()];
    taken = new JobSpec[trace.size()];
    dependents = new Dependents(trace, endings);
    digest = new ScheduleDigest();
    wakes = new TreeSet<>();
    Runs.Parts parts = new Runs.Parts(policy, jobs, cluster, trace, digest, wakes);
    runs = new Runs(parts);
    FailureModel model = workload.failures();
    failures =
        model == null || trace.isEmpty()
            ? null
            : new NodeFailures(model, machine.nodeCount(), second(trace.getFirst().submit()));
    if (beginning != null) {
      begin(beginning, parts);
    }
  }

  /** Goes on from another one, which stays as it is. */
  private Replay(Replay before, Turn turn, Progress progress) {
    machine = turn.machine();
    Policy policy = turn.policy();
    engine = Engines.of(policy, machine.settings(), before.pace > 0);
    this.progress = progress;
    estimates = policy.estimates();
    jobs = new TwinJobs(before.jobs, machine);
    admission = new Admission(machine, turn.accounts());
    cluster = new TwinCluster(before.cluster, machine, turn.accounts());
    arrived = before.arrived;
    over = before.over;
    last = before.last;
    pace = before.pace;
    List<TraceJob> all = new ArrayList<>(before.trace);
    all.addAll(arrived, turn.submitted());
    int anew = arrived + turn.submitted().size();
    RunTimes.Told told = RunTimes.Told.of(turn, before.cluster, before.jobs);
    trace = told.of(all, arrived, anew, RunTimes.Told.of(turn, cluster, jobs));
    endings = Arrays.copyOf(before.endings, trace.size());
    taken = Arrays.copyOf(before.taken, trace.size());
    records.putAll(before.records);
    dependents = new Dependents(before.dependents, trace, endings);
    digest = new ScheduleDigest(before.digest);
    wakes = new TreeSet<>(before.wakes);
    ranking = new Ranking(before.ranking, policy);
    runs = new Runs(before.runs, new Runs.Parts(policy, jobs, cluster, trace, digest, wakes));
    failures = null;
    turn(before, turn);
  }

  /** What becomes otherwise at once. */
  private void turn(Replay before, Turn turn) {
    Instant at = turn.at();
    wakes.add(second(at));
    wakeForReservations(at);
    if (turn.runTimes() != RunTimes.AS_THEY_ARE) {
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
  public Replay fork(Turn turn, Progress hears) {
    if (failures != null) {
      throw new IllegalStateException("failures of nodes are not taken along");
    }
    return new Replay(this, turn, hears);
  }

  /** Takes in what runs and waits already. */
  private void begin(Beginning from, Runs.Parts parts) {
    Adoption adoption = new Adoption(parts, dependents, ranking);
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
  public Schedule run() {
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
  public void pace(Duration most, Policy policy) {
    pace = most.toSeconds();
    engine = Engines.of(policy, machine.settings(), true);
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
  public Schedule schedule() {
    List<JobResult> results = new ArrayList<>(endings.length);
    for (int i = 0; i < endings.length; i++) {
      Ending ending = endings[i];
      results.add(runs.result(i + 1, ending == null ? open(i + 1) : ending, taken[i]));
    }
    return new Schedule(results, machine.cpus(), digest.text(), runs.interruptions());
  }

  /** How it stands with a job that is not over. */
  private Ending open(int job) {
    Job active = cluster.active().get(job);
    JobState.Running run = active == null ? null : active.state().underWay();
    if (run != null) {
      return new Ending.Running(run.start());
    }
    if (dependents.waiting().containsKey(job)) {
      return new Ending.NeverStarted(Reason.DEPENDENCY);
    }
    Verdict verdict = last.verdicts().get(job);
    return new Ending.NeverStarted(verdict == null ? "Priority" : verdict.reason());
  }

  private long next() {
    long next = arrived < trace.size() ? second(trace.get(arrived).submit()) : NEVER;
    next = Math.min(next, runs.next());
    next = wakes.isEmpty() ? next : Math.min(next, wakes.first());
    boolean waits = failures != null && failures.anyDown() && !cluster.pending().isEmpty();
    return failures == null || next == NEVER && !waits ? next : Math.min(next, failures.next());
  }

  private void turn(long now) {
    for (Runs.Over over = runs.poll(now); over != null; over = runs.poll(now)) {
      settle(over);
    }
    wakes.headSet(now, true).clear();
    reserve(now);
    if (failures != null) {
      for (NodeFailures.Change change = failures.poll(now);
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
      if (estimates == Estimates.PREDICTED) {
        seconds = predicted(job, asked, i + 1);
      }
      ranking.know(seconds, asked.resources().totalCpus(), second(job.submit()));
      switch (admission.of(job.user(), asked, cluster)) {
        case Admission.Answer.Refused(String why) -> refused = refused == null ? why : refused;
        case Admission.Answer.Taken(JobSpec spec) -> {
          specs.add(spec);
          taken[i] = spec;
        }
      }
    }
    for (int i = first; i < arrived; i++) {
      if (refused == null) {
        queue(trace.get(i), i + 1, specs.get(i - first));
      } else {
        finish(i + 1, new Ending.Refused(refused));
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
        return predicted.at(view).seconds(as, partition);
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
        instanceof Dependents.Answer.Unknown) {
      finish(id, new Ending.Refused(ErrorCode.DEPENDENCY.text()));
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
    HetPart part = TwinJobs.place(trace, id);
    waiting = part == null ? waiting : TwinJobs.component(waiting, part);
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
        case Dependents.Answer.Holds _ -> {
          dependents.waiting().remove(id);
          queue(trace.get(id - 1), id, spec, Instant.ofEpochSecond(now));
          some = true;
        }
        case Dependents.Answer.NotYet(long again) -> {
          if (again < NEVER) {
            wakes.add(again);
          }
        }
        case Dependents.Answer.Never _, Dependents.Answer.Unknown _ -> {
          dependents.waiting().remove(id);
          finish(id, new Ending.NeverStarted(Reason.DEPENDENCY_NEVER));
          some = true;
        }
      }
    }
    return some;
  }

  /** A run is over: the job with it, or it comes back to its place in the queue. */
  private void settle(Runs.Over over) {
    Job job = over.job();
    Instant start = over.run().start();
    if (over.back()) {
      requeue(job, over.at());
      return;
    }
    finish(
        job.id(),
        switch (over.cause()) {
          case ITSELF -> new Ending.Finished(start, over.at());
          case LIMIT -> new Ending.TimedOut(start, over.at());
          case PREEMPTION -> new Ending.Preempted(start, over.at());
          case NODE -> new Ending.NodeFailed(start, over.at());
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

  private void finish(int job, Ending ending) {
    endings[job - 1] = ending;
    dependents.over(job);
    over++;
    progress.at(over, endings.length);
  }

  private void change(NodeFailures.Change change, long now) {
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
