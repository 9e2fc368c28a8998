package io.dure.simulator.twin;

import io.dure.core.collection.IntMap;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobSpec;
import io.dure.core.model.JobState;
import io.dure.core.scheduler.Feasibility;
import io.dure.core.scheduler.Placement;
import io.dure.core.scheduler.Plan;
import io.dure.core.scheduler.Verdict;
import io.dure.simulator.twin.trace.TraceJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
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
  private final TwinCluster cluster;
  private final Ranking ranking;
  private final @Nullable NodeFailures failures;
  private final ScheduleDigest digest = new ScheduleDigest();
  private final PriorityQueue<End> ends = new PriorityQueue<>();
  private final PriorityQueue<Long> wakes = new PriorityQueue<>();
  private final Ending[] endings;
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
    this(machine, workload, policy, progress, Engines.of(policy));
  }

  Replay(Machine machine, Workload workload, Policy policy, Progress progress, Engine engine) {
    this.machine = machine;
    this.engine = engine;
    this.progress = progress;
    trace = workload.jobs();
    jobs = new TwinJobs(machine, policy.estimates());
    cluster = new TwinCluster(machine);
    ranking = new Ranking(policy, second(workload.start()));
    endings = new Ending[trace.size()];
    cpus = new int[trace.size()];
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
    Verdict verdict = last.verdicts().get(job);
    return new Ending.NeverStarted(verdict == null ? "Priority" : verdict.reason());
  }

  private long next() {
    long next = arrived < trace.size() ? second(trace.get(arrived).submit()) : NEVER;
    End end = ends.peek();
    next = end == null ? next : Math.min(next, end.second());
    Long wake = wakes.peek();
    next = wake == null ? next : Math.min(next, wake);
    boolean waits = failures != null && failures.anyDown() && !cluster.pending().isEmpty();
    return failures == null || next == NEVER && !waits ? next : Math.min(next, failures.next());
  }

  private void turn(long now) {
    for (End end = ends.peek(); end != null && end.second() <= now; end = ends.peek()) {
      ends.poll();
      end(end);
    }
    while (!wakes.isEmpty() && wakes.peek() <= now) {
      wakes.poll();
    }
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
    if (!cluster.pending().isEmpty()) {
      ranking.refresh(cluster, now);
      Instant instant = Instant.ofEpochSecond(now);
      last = engine.plan(cluster.view(), instant);
      for (Placement placement : last.starts()) {
        start(placement, instant);
      }
    }
  }

  private void arrive(TraceJob job, int id) {
    JobSpec spec = jobs.spec(job);
    Duration limit = jobs.limit(spec);
    long submit = second(job.submit());
    ranking.know(limit == null ? NEVER : limit.toSeconds(), spec.resources().totalCpus(), submit);
    String refusal = refusal(spec);
    if (refusal != null) {
      finish(id, new Ending.Refused(refusal));
      return;
    }
    Instant begin = spec.beginTime();
    if (begin != null && begin.isAfter(job.submit())) {
      wakes.add(second(begin.plusNanos(999_999_999)));
    }
    cluster.queue(jobs.pending(id, job, spec, ranking.queued(id, submit, submit)));
  }

  private @Nullable String refusal(JobSpec spec) {
    for (String partition : spec.partitions()) {
      if (machine.partitions().stream().noneMatch(known -> known.name().equals(partition))) {
        return "there is no partition " + partition;
      }
    }
    if (spec.partitions().isEmpty()) {
      return "no partition is named, and there is no default one";
    }
    Feasibility.Answer answer =
        Feasibility.submission(
            cluster.view(), spec.partitions(), spec, machine.settings().jobs().enforcePartLimits());
    return switch (answer) {
      case Feasibility.Answer.Refused(var code, String detail) ->
          detail.isEmpty() ? code.text() : code.text() + ": " + detail;
      case Feasibility.Answer.Possible _, Feasibility.Answer.Waits _ -> null;
    };
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
    cluster.start(running, placement.allocation());
    cpus[job.id() - 1] = placement.allocation().cpus();
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
    cluster.end(job.id(), running.allocation());
    Instant at = Instant.ofEpochSecond(end.second());
    boolean cut =
        trace.get(job.id() - 1).run().compareTo(Duration.between(running.start(), at)) > 0;
    finish(
        job.id(),
        cut ? new Ending.TimedOut(running.start(), at) : new Ending.Finished(running.start(), at));
  }

  private void finish(int job, Ending ending) {
    endings[job - 1] = ending;
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
    cluster.end(job.id(), running.allocation());
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
