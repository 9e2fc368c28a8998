package io.dure.twin.result;

import io.dure.model.accounting.TresAmounts;
import io.dure.model.accounting.usage.OwnerJobCounts;
import io.dure.model.command.PendingReason;
import io.dure.model.command.Placement;
import io.dure.model.gres.GresCount;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.request.JobSpec;
import io.dure.twin.trace.TraceJob;
import io.dure.virtual.VirtualClusterObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Writes down what becomes of the jobs of a trace. For one thread. */
public final class ReplayRecorder implements VirtualClusterObserver {
  private final List<TraceJob> trace;
  private final boolean charged;
  private final ReplayProgressListener progress;
  private final ScheduleDigest digest;

  // By the number of the job less one.
  private final @Nullable TraceJobOutcome[] endings;
  private final @Nullable JobSpec[] taken;
  private final int[] cpus;
  private final long[] gpus;

  private final Map<Integer, List<JobResult.Pause>> pauses = new TreeMap<>();
  private final TreeSet<Integer> madeRoom = new TreeSet<>();
  private final ReservedStartChecker reservedStarts = new ReservedStartChecker();
  private OwnerJobCounts queued = OwnerJobCounts.NONE;
  private int over;
  private int cancelled;
  private int requeued;
  private int suspensions;
  private int lowered;
  private int lost;
  private ReplayResult.ComputeTime madeRoomWork = ReplayResult.ComputeTime.NONE;
  private ReplayResult.ComputeTime struckWork = ReplayResult.ComputeTime.NONE;

  /**
   * Nothing has happened yet.
   *
   * @param charged whether jobs are charged to accounts
   */
  public ReplayRecorder(List<TraceJob> trace, boolean charged, ReplayProgressListener progress) {
    this.trace = trace;
    this.charged = charged;
    this.progress = progress;
    digest = new ScheduleDigest();
    endings = new TraceJobOutcome[trace.size()];
    taken = new JobSpec[trace.size()];
    cpus = new int[trace.size()];
    gpus = new long[trace.size()];
  }

  /**
   * Goes on from another one with a trace that may be longer. What befell jobs is counted from here
   * on.
   */
  public ReplayRecorder(
      ReplayRecorder before,
      List<TraceJob> trace,
      boolean charged,
      ReplayProgressListener progress) {
    this.trace = trace;
    this.charged = charged;
    this.progress = progress;
    digest = new ScheduleDigest(before.digest);
    endings = Arrays.copyOf(before.endings, trace.size());
    taken = Arrays.copyOf(before.taken, trace.size());
    cpus = Arrays.copyOf(before.cpus, trace.size());
    gpus = Arrays.copyOf(before.gpus, trace.size());
    before.pauses.forEach((job, its) -> pauses.put(job, new ArrayList<>(its)));
    queued = before.queued;
    over = before.over;
  }

  /** Jobs that wait or run, by the association that they are charged to. */
  public OwnerJobCounts queued() {
    return queued;
  }

  /** What a job asked for that was taken. */
  public void taken(int job, JobSpec spec) {
    taken[job - 1] = spec;
  }

  /** A job was refused when it came. */
  public void refused(int job, String why) {
    finish(job, new TraceJobOutcome.Refused(why));
  }

  /** What became of a job that is over, null for one that is not. */
  public @Nullable TraceJobOutcome ending(int job) {
    return endings[job - 1];
  }

  private void finish(int job, TraceJobOutcome ending) {
    endings[job - 1] = ending;
    over++;
    progress.at(over, endings.length);
  }

  @Override
  public void changed(@Nullable Job before, @Nullable Job after) {
    if (charged) {
      queued = queued.changed(before, after);
    }
  }

  /** A job ran before the replay began. */
  public void adopted(Job job, Allocation allocation) {
    int index = job.id() - 1;
    cpus[index] = allocation.cpus();
    gpus[index] = TresAmounts.of(allocation).of("gres/" + GresCount.GPU);
  }

  @Override
  public void reserved(Map<Integer, Long> starts, Instant at) {
    reservedStarts.reserved(starts, at);
  }

  @Override
  public void started(Job running, Placement placement, Instant at) {
    reservedStarts.started(placement.jobId(), at);
    JobState.Running run = running.state().runningOrSuspended();
    if (run != null) {
      lowered += placement.limit() == null ? 0 : 1;
      adopted(running, run.allocation());
      digest.start(at.getEpochSecond(), running.id(), run.allocation());
    }
  }

  @Override
  public void preempted(Job victim) {
    madeRoom.add(victim.id());
  }

  @Override
  public void suspended(Job job, Instant at) {
    suspensions++;
    digest.pause(at.getEpochSecond(), job.id());
  }

  @Override
  public void resumed(Job job, JobState.Suspended stood, Instant at) {
    paused(job.id(), stood, at);
  }

  private void paused(int id, JobState.Suspended stood, Instant to) {
    pauses
        .computeIfAbsent(id, _ -> new ArrayList<>())
        .add(new JobResult.Pause(stood.since().getEpochSecond(), to.getEpochSecond()));
  }

  @Override
  public void ended(Ended over) {
    Job job = over.job();
    reservedStarts.ended(over, over.outcome() instanceof JobOutcome.NodeFailed);
    if (job.state() instanceof JobState.Suspended stood) {
      paused(job.id(), stood, over.at());
    }
    if (over.outcome() instanceof JobOutcome.Preempted) {
      requeued += over.requeued() ? 1 : 0;
      cancelled += over.requeued() ? 0 : 1;
      madeRoomWork = madeRoomWork.plus(work(over));
    }
    if (over.outcome() instanceof JobOutcome.NodeFailed) {
      struckWork = struckWork.plus(work(over));
      lost += over.requeued() ? 1 : 0;
    }
    if (over.requeued()) {
      // What stood still of a run that begins anew is not counted.
      pauses.remove(job.id());
    } else {
      finish(job.id(), ending(over));
    }
  }

  private static TraceJobOutcome ending(Ended over) {
    Instant start = over.run().start();
    return switch (over.outcome()) {
      case JobOutcome.Completed _ -> new TraceJobOutcome.Finished(start, over.at());
      case JobOutcome.Preempted _ -> new TraceJobOutcome.Preempted(start, over.at());
      case JobOutcome.NodeFailed _ -> new TraceJobOutcome.NodeFailed(start, over.at());
      case JobOutcome.TimedOut _,
          JobOutcome.DeadlineMissed _,
          JobOutcome.Failed _,
          JobOutcome.LaunchFailed _,
          JobOutcome.Cancelled _,
          JobOutcome.OutOfMemory _ ->
          new TraceJobOutcome.TimedOut(start, over.at());
    };
  }

  /** What a run has done. */
  private ReplayResult.ComputeTime work(Ended over) {
    Instant until =
        over.job().state() instanceof JobState.Suspended stood ? stood.since() : over.at();
    Duration ran = over.run().elapsed(until);
    int index = over.job().id() - 1;
    return new ReplayResult.ComputeTime(
        ran.toSeconds() * cpus[index], ran.toSeconds() * gpus[index]);
  }

  @Override
  public void dropped(Job job, JobOutcome outcome, Instant at) {
    String reason =
        outcome instanceof JobOutcome.DeadlineMissed
            ? PendingReason.DEADLINE
            : PendingReason.DEPENDENCY_NEVER;
    finish(job.id(), new TraceJobOutcome.NeverStarted(reason));
  }

  /** What became of a job of the trace. */
  public JobResult result(int job, TraceJobOutcome ending) {
    return new JobResult(
        trace.get(job - 1),
        cpus[job - 1],
        ending,
        pauses.getOrDefault(job, List.of()),
        gpus[job - 1],
        taken[job - 1]);
  }

  /** Whether jobs started by the times that were reserved for them. */
  public ReplayResult.ReservedStarts reservedStarts() {
    return reservedStarts.counts();
  }

  /** The digest of all starts and suspensions. */
  public String digest() {
    return digest.text();
  }

  /** What befell jobs while they ran. */
  public ReplayResult.Interruptions interruptions() {
    return new ReplayResult.Interruptions(
        madeRoom.size(), cancelled, requeued, suspensions, lost, lowered, madeRoomWork, struckWork);
  }
}
