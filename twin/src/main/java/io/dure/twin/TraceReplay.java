package io.dure.twin;

import io.dure.model.command.PendingReason;
import io.dure.model.command.PendingVerdict;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.twin.nodefailure.NodeFailureSchedule;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.policy.ReplayQueueRanking;
import io.dure.twin.policy.ReplaySchedulers;
import io.dure.twin.result.JobResult;
import io.dure.twin.result.ReplayProgressListener;
import io.dure.twin.result.ReplayRecorder;
import io.dure.twin.result.ReplayResult;
import io.dure.twin.result.TraceJobOutcome;
import io.dure.twin.trace.InitialState;
import io.dure.twin.trace.TraceJob;
import io.dure.virtual.NodeFailures;
import io.dure.virtual.VirtualCluster;
import io.dure.virtual.VirtualClusterOptions;
import io.dure.virtual.VirtualClusterPorts;
import io.dure.virtual.VirtualClusterView;
import io.dure.virtual.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The jobs of a trace in a virtual cluster: they come when the trace says, and run as long as it
 * says. Used once.
 */
public final class TraceReplay {
  private final List<TraceJob> trace;
  private final ReplayMachine machine;
  private final TraceJobRecords jobs;
  private final ReplayQueueRanking ranking;
  private final ReplayRecorder recorder;
  private final TraceArrivals arrivals;
  private final VirtualCluster cluster;
  private final boolean failing;
  private boolean paced;

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
      VirtualScheduler scheduler) {
    this.machine = machine;
    trace = workload.jobs();
    failing = workload.failures() != null;
    jobs = new TraceJobRecords(machine, policy.estimates());
    ranking = new ReplayQueueRanking(policy, workload.start().getEpochSecond());
    recorder = new ReplayRecorder(trace, workload.accounts() != null, progress);
    arrivals =
        new TraceArrivals(
            new TraceArrivals.Parts(
                machine, workload.accounts(), jobs, policy.estimates(), ranking, recorder),
            trace);
    Instant begin = begin(workload);
    InitialState beginning = workload.beginning();
    TwinView empty = TwinView.of(machine, workload.accounts());
    VirtualClusterView from;
    if (beginning == null) {
      from = VirtualClusterView.of(empty, failing);
    } else {
      beginning.jobs().forEach(one -> jobs.know(one.record().owner()));
      from = InitialStateLoader.of(beginning, empty, trace, arrivals, recorder);
    }
    cluster =
        new VirtualCluster(
            from,
            begin,
            options(policy, new TraceLifetimes(trace, jobs, begin)),
            new VirtualClusterPorts(scheduler, failures(workload), ranking, recorder));
  }

  private static Instant begin(ReplayInput workload) {
    InitialState beginning = workload.beginning();
    Instant start = beginning == null ? workload.start() : beginning.at();
    boolean earlier =
        !workload.jobs().isEmpty()
            && beginning == null
            && workload.jobs().getFirst().submit().isBefore(start);
    return earlier ? workload.jobs().getFirst().submit() : start;
  }

  private NodeFailures failures(ReplayInput workload) {
    if (workload.failures() == null || trace.isEmpty()) {
      return NodeFailures.NONE;
    }
    long first = trace.getFirst().submit().getEpochSecond();
    return new NodeFailureSchedule(workload.failures(), machine.nodeCount(), first);
  }

  private VirtualClusterOptions options(ReplayPolicy policy, TraceLifetimes lifetimes) {
    return new VirtualClusterOptions(
        ReplaySchedulers.options(policy, machine.settings()),
        lifetimes,
        arrivals,
        0,
        VirtualClusterOptions.Fidelity.REPLAY);
  }

  /** Goes on from another one, which stays as it is. */
  private TraceReplay(
      TraceReplay before, ReplayContinuation turn, ReplayProgressListener progress) {
    machine = turn.machine();
    ReplayPolicy policy = turn.policy();
    failing = false;
    paced = before.paced;
    jobs = new TraceJobRecords(before.jobs, machine);
    int arrived = before.arrived();
    List<TraceJob> all = new ArrayList<>(before.trace);
    all.addAll(arrived, turn.submitted());
    int anew = arrived + turn.submitted().size();
    VirtualClusterView was = before.cluster.view();
    TwinView other = TwinView.of(machine, turn.accounts()).with(was);
    VirtualClusterView from = VirtualClusterView.of(other, true);
    ChosenRunTimes told = ChosenRunTimes.of(turn, was, before.jobs);
    trace = told.of(all, arrived, anew, ChosenRunTimes.of(turn, from, jobs));
    ranking = new ReplayQueueRanking(before.ranking, policy);
    recorder = new ReplayRecorder(before.recorder, trace, turn.accounts() != null, progress);
    arrivals =
        new TraceArrivals(
            before.arrivals,
            new TraceArrivals.Parts(
                machine, turn.accounts(), jobs, policy.estimates(), ranking, recorder),
            trace);
    VirtualScheduler scheduler = ReplaySchedulers.of(policy, machine.settings(), paced);
    cluster =
        before.cluster.fork(
            from,
            options(policy, new TraceLifetimes(trace, jobs, turn.at())),
            new VirtualClusterPorts(scheduler, NodeFailures.NONE, ranking, recorder));
    turn(turn, !before.ranking.isAs(policy));
  }

  /** What becomes otherwise at once. */
  private void turn(ReplayContinuation turn, boolean reorder) {
    Instant at = turn.at();
    cluster.wake(at.getEpochSecond());
    if (turn.runTimes() != ReplayRunTimes.AS_THEY_ARE) {
      cluster.retime(at);
    }
    cluster.wakePreemptible(at);
    if (reorder) {
      for (Job job : List.copyOf(cluster.view().pending().values())) {
        cluster.update(ranking.renumbered(job, at));
      }
    }
    for (int position = 0; position < machine.nodeCount(); position++) {
      if (machine.isDown(cluster.view().nodes().require(position).config().name())) {
        cluster.fail(position, at);
      }
    }
  }

  /** The same, going on otherwise from a second on to which this one has come; it may go on too. */
  public TraceReplay fork(ReplayContinuation turn, ReplayProgressListener hears) {
    if (failing) {
      throw new IllegalStateException("failures of nodes are not taken along");
    }
    return new TraceReplay(this, turn, hears);
  }

  /** Runs until nothing happens any more. */
  public ReplayResult run() {
    runTo(Instant.MAX);
    return schedule();
  }

  /** Lets happen what happens before then. */
  public void runTo(Instant end) {
    cluster.runTo(end.getEpochSecond());
  }

  /** Has the scheduler asked less often where many jobs wait, at most so far apart, and briefly. */
  public void pace(Duration most, ReplayPolicy policy) {
    paced = true;
    cluster.pace(most, ReplaySchedulers.of(policy, machine.settings(), true));
  }

  /** How many jobs of the trace have come, those of the beginning among them. */
  public int arrived() {
    return arrivals.arrived();
  }

  /** Whether a job has started, or never will; jobs are counted from 0. */
  public boolean isSettled(int job) {
    Job waiting = cluster.view().pending().get(job + 1);
    return recorder.ending(job + 1) != null
        || cluster.view().active().contains(job + 1)
        || waiting != null
            && waiting.state() instanceof JobState.Pending pending
            && pending.dependencyFailed();
  }

  /** What came of it until now. */
  public ReplayResult schedule() {
    List<JobResult> results = new ArrayList<>(trace.size());
    for (int job = 1; job <= trace.size(); job++) {
      TraceJobOutcome ending = recorder.ending(job);
      results.add(recorder.result(job, ending == null ? open(job) : ending));
    }
    return new ReplayResult(
        results,
        machine.cpus(),
        recorder.digest(),
        recorder.interruptions(),
        recorder.reservedStarts());
  }

  /** How it stands with a job that is not over. */
  private TraceJobOutcome open(int job) {
    Job active = cluster.view().active().get(job);
    JobState.Running run = active == null ? null : active.state().runningOrSuspended();
    if (run != null) {
      return new TraceJobOutcome.Running(run.start());
    }
    Job waiting = cluster.view().pending().get(job);
    if (waiting != null && waiting.state() instanceof JobState.Pending pending) {
      if (pending.dependencyFailed()) {
        return new TraceJobOutcome.NeverStarted(PendingReason.DEPENDENCY_NEVER);
      }
      if (!pending.waitingFor().isEmpty()) {
        return new TraceJobOutcome.NeverStarted(PendingReason.DEPENDENCY);
      }
    }
    PendingVerdict verdict = cluster.plan().verdicts().get(job);
    return new TraceJobOutcome.NeverStarted(verdict == null ? "Priority" : verdict.reason());
  }
}
