package io.dure.simulator.twin;

import io.dure.core.collection.IntMap;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.ErrorCode;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.model.JobState;
import io.dure.core.scheduler.Placement;
import io.dure.core.scheduler.Plan;
import io.dure.core.scheduler.Reason;
import io.dure.core.scheduler.Verdict;
import io.dure.simulator.twin.trace.TraceJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
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
  private final @Nullable NodeFailures failures;
  private final ScheduleDigest digest = new ScheduleDigest();
  private final PriorityQueue<End> ends = new PriorityQueue<>();
  private final TreeSet<Long> wakes = new TreeSet<>();
  private final @Nullable Ending[] endings;
  private final Dependents dependents;
  private final int[] cpus;
  private int arrived;
  private int over;
  private Plan last = new Plan(List.of(), IntMap.empty(), false);

  /** When a run ends unless its node fails before. */
  private record End(long second, int job, int run) implements Comparable<End> {
    @Override
    public int compareTo(End other) {
      int byTime = Long.compare(second, other.second);
      return byTime == 0 ? Integer.compare(job, other.job) : byTime;
    }
  }

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
    cluster = new TwinCluster(machine, workload.accounts());
    ranking = new Ranking(policy, second(workload.start()));
    endings = new Ending[trace.size()];
    cpus = new int[trace.size()];
    dependents = new Dependents(trace, endings);
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
      results.add(
          new JobResult(trace.get(i), cpus[i], ending == null ? neverStarted(i + 1) : ending));
    }
    return new Schedule(results, machine.cpus(), digest.text());
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
    End end = ends.peek();
    next = end == null ? next : Math.min(next, end.second());
    next = wakes.isEmpty() ? next : Math.min(next, wakes.first());
    boolean waits = failures != null && failures.anyDown() && !cluster.pending().isEmpty();
    return failures == null || next == NEVER && !waits ? next : Math.min(next, failures.next());
  }

  private void turn(long now) {
    for (End end = ends.peek(); end != null && end.second() <= now; end = ends.peek()) {
      ends.poll();
      end(end);
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
      arrive(trace.get(arrived), ++arrived);
    }
    release(now);
    if (!cluster.pending().isEmpty()) {
      ranking.refresh(cluster, now);
      Instant instant = Instant.ofEpochSecond(now);
      last = engine.plan(cluster.view(), instant);
      for (Placement placement : last.starts()) {
        start(placement, instant);
      }
      if (!last.starts().isEmpty() && release(now)) {
        // Who waited for a start is looked at with the next pass.
        wakes.add(now + 1);
      }
    }
  }

  private void arrive(TraceJob job, int id) {
    dependents.came(id);
    JobSpec asked = jobs.spec(job);
    Duration limit = jobs.limit(asked);
    long submit = second(job.submit());
    ranking.know(limit == null ? NEVER : limit.toSeconds(), asked.resources().totalCpus(), submit);
    Admission.Answer answer = admission.of(job.user(), asked, cluster);
    switch (answer) {
      case Admission.Answer.Refused(String why) -> finish(id, new Ending.Refused(why));
      case Admission.Answer.Taken(JobSpec spec) -> queue(job, id, spec);
    }
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

  private void start(Placement placement, Instant now) {
    Job job = cluster.pending().require(placement.jobId());
    Duration limit = jobs.limit(job.spec());
    Instant end = limit == null ? null : now.plus(limit);
    int run = job.run() + 1;
    Job running =
        job.withRun(run)
            .withState(
                new JobState.Running(placement.allocation(), now, end, true, false, Hold.NONE));
    cluster.start(running, placement.allocation(), now);
    cpus[job.id() - 1] = placement.allocation().cpus();
    dependents.started(job.id(), second(now));
    digest.start(second(now), job.id(), placement.allocation());
    Duration lasts = jobs.run(trace.get(job.id() - 1));
    ends.add(new End(second(now) + lasts.toSeconds(), job.id(), run));
  }

  private void end(End end) {
    Job job = cluster.active().get(end.job());
    if (job == null
        || job.run() != end.run()
        || !(job.state() instanceof JobState.Running running)) {
      return;
    }
    Instant at = Instant.ofEpochSecond(end.second());
    cluster.end(job.id(), running.allocation(), at);
    boolean cut =
        trace.get(job.id() - 1).run().compareTo(Duration.between(running.start(), at)) > 0;
    finish(
        job.id(),
        cut ? new Ending.TimedOut(running.start(), at) : new Ending.Finished(running.start(), at));
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
      for (int job : struck) {
        lose(cluster.active().require(job), now);
      }
    }
    cluster.setAvailable(change.node(), !change.fails());
  }

  /** The job comes back to its place in the queue, or ends if it may not run again. */
  private void lose(Job job, long now) {
    if (!(job.state() instanceof JobState.Running running)) {
      return;
    }
    cluster.end(job.id(), running.allocation(), Instant.ofEpochSecond(now));
    boolean again =
        switch (job.spec().requeue()) {
          case DEFAULT -> machine.settings().jobs().requeue();
          case YES -> true;
          case NO -> false;
        };
    if (!again) {
      finish(job.id(), new Ending.NodeFailed(running.start(), Instant.ofEpochSecond(now)));
      return;
    }
    long submit = second(job.submitTime());
    JobState waits = new JobState.Pending(Hold.NONE, null, List.of(), false, true);
    long number = ranking.queued(job.id(), submit, now);
    cluster.queue(job.withSpec(job.spec(), number).withState(waits));
  }
}
