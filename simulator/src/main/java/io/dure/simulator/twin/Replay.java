package io.dure.simulator.twin;

import io.dure.core.collection.IntMap;
import io.dure.core.config.PartitionConfig;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.model.JobState;
import io.dure.core.model.het.HetPart;
import io.dure.core.scheduler.Placement;
import io.dure.core.scheduler.Plan;
import io.dure.core.scheduler.Reason;
import io.dure.core.scheduler.SchedulerView;
import io.dure.core.scheduler.Verdict;
import io.dure.core.scheduler.policy.Predicted;
import io.dure.simulator.twin.trace.TraceJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Lets the jobs of a trace come, start and end on a virtual clock of whole seconds. What happens in
 * one second happens before the scheduler looks: first jobs end, then nodes fail or come back, then
 * jobs come. The scheduler is asked after each second in which something happened. Used once.
 */
public final class Replay {
  private static final long NEVER = Long.MAX_VALUE;

  private final List<TraceJob> trace;
  private final Engine engine;
  private final Progress progress;
  private final Machine machine;
  private final TwinJobs jobs;
  private final Admission admission;
  private final TwinCluster cluster;
  private final Ranking ranking;
  private final Estimates estimates;
  private final Predicted predicted = Predicted.unknown();
  private final @Nullable NodeFailures failures;
  private final ScheduleDigest digest = new ScheduleDigest();
  private final Runs runs;
  private final TreeSet<Long> wakes = new TreeSet<>();
  private final @Nullable Ending[] endings;
  private final Dependents dependents;
  private int arrived;
  private int over;
  private Plan last = new Plan(List.of(), IntMap.empty(), false);

  /** A replay at its beginning, the cluster empty. */
  public Replay(Machine machine, Workload workload, Policy policy, Progress progress) {
    this(machine, workload, policy, progress, Engines.of(policy, machine.settings()));
  }

  Replay(Machine machine, Workload workload, Policy policy, Progress progress, Engine engine) {
    this.machine = machine;
    this.engine = engine;
    this.progress = progress;
    trace = workload.jobs();
    jobs = new TwinJobs(machine, policy.estimates());
    admission = new Admission(machine, workload.accounts());
    cluster = new TwinCluster(machine, workload.accounts(), workload.failures() != null);
    estimates = policy.estimates();
    ranking = new Ranking(policy, second(workload.start()));
    endings = new Ending[trace.size()];
    dependents = new Dependents(trace, endings);
    runs = new Runs(policy, jobs, cluster, trace, digest, wakes);
    FailureModel model = workload.failures();
    failures =
        model == null || trace.isEmpty()
            ? null
            : new NodeFailures(model, machine.nodeCount(), second(trace.getFirst().submit()));
  }

  private static long second(Instant instant) {
    return instant.getEpochSecond();
  }

  /** Runs until nothing happens any more. */
  public Schedule run() {
    for (long now = next(); now != NEVER; now = next()) {
      turn(now);
    }
    List<JobResult> results = new ArrayList<>(endings.length);
    for (int i = 0; i < endings.length; i++) {
      Ending ending = endings[i];
      results.add(runs.result(i + 1, ending == null ? neverStarted(i + 1) : ending));
    }
    return new Schedule(results, machine.cpus(), digest.text(), runs.interruptions());
  }

  private Ending neverStarted(int job) {
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
    if (!cluster.pending().isEmpty()) {
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

  /** The next submission of the trace: a job, or all components of a heterogeneous one. */
  private void arrive() {
    int first = arrived;
    int size = components(first);
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
        case Admission.Answer.Taken(JobSpec spec) -> specs.add(spec);
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

  /** How many jobs of the trace, from that one on, are one heterogeneous job; else 1. */
  private int components(int first) {
    TraceJob.Origin origin = trace.get(first).origin();
    TraceJob.Component lead = origin == null ? null : origin.component();
    if (origin == null || lead == null || lead.offset() != 0) {
      return 1;
    }
    for (int i = 1; i < lead.size(); i++) {
      TraceJob.Origin other = first + i < trace.size() ? trace.get(first + i).origin() : null;
      if (other == null
          || other.number() != origin.number()
          || !new TraceJob.Component(i, lead.size()).equals(other.component())) {
        // A window may begin or end in the middle of it.
        return 1;
      }
    }
    return lead.size();
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
    long submit = second(job.submit());
    Job waiting = jobs.pending(id, job, spec, ranking.queued(id, submit, second(from)), from);
    TraceJob.Origin origin = job.origin();
    TraceJob.Component component = origin == null ? null : origin.component();
    if (component != null) {
      int leader = id - component.offset();
      if (leader > 0 && components(leader - 1) == component.size()) {
        HetPart part = new HetPart(leader, component.offset(), component.size());
        waiting = TwinJobs.component(waiting, part);
      }
    }
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
    cluster.queue(job.withSpec(job.spec(), number).withState(waits).withEligible(from));
  }

  private void finish(int job, Ending ending) {
    endings[job - 1] = ending;
    dependents.over(job);
    over++;
    progress.at(over, endings.length);
  }

  private void change(NodeFailures.Change change, long now) {
    if (change.fails()) {
      List<Integer> struck = cluster.node(change.node()).shares().keys();
      for (int id : struck) {
        Job job = cluster.active().get(id);
        if (job != null) {
          runs.lose(job, Instant.ofEpochSecond(now)).forEach(this::settle);
        }
      }
    }
    cluster.setAvailable(change.node(), !change.fails());
  }
}
