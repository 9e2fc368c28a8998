package io.dure.cli.efficiency;

import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.step.StepConsumption;
import io.dure.model.step.StepConsumption.Spread;
import io.dure.protocol.JobInfo;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.RecordedStep;
import io.dure.surface.facts.JobDetails;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an attempt of a job held, and what it used of it.
 *
 * @param job as it was recorded
 * @param outcome how it ended, null while it waits or runs
 * @param seconds how long it ran, pauses left out
 * @param nodes how many it held
 * @param cpus how many it held
 * @param memoryMib how much it held on all nodes
 * @param gpus how many it held
 * @param limit how long it might have run, null for no bound
 * @param waited seconds from when it could have started to its start
 * @param cpuMicros processor time of its steps, microseconds; null where none is known
 * @param peakBytes the most memory of steps at one time, each task at its own peak; null where that
 *     is not known
 * @param peakOfTask the most memory of one task, bytes; 0 where that is not known
 * @param gpuPercent likewise the busiest that GPUs were, percent of one GPU; null where no driver
 *     told
 * @param gpuBytes likewise the most memory of GPUs
 */
public record RunUse(
    Job job,
    @Nullable JobOutcome outcome,
    long seconds,
    int nodes,
    int cpus,
    long memoryMib,
    long gpus,
    @Nullable Duration limit,
    long waited,
    @Nullable Long cpuMicros,
    @Nullable Long peakBytes,
    long peakOfTask,
    @Nullable Long gpuPercent,
    @Nullable Long gpuBytes) {
  private static final double MICROS = 1e6;

  /** The figures of an attempt at a time. */
  public static RunUse of(RecordedJob recorded, Instant now) {
    Job job = recorded.job();
    JobDetails details =
        new JobDetails(
            new JobInfo(
                job, "None", null, List.of(), null, false, "", false, List.of(), null, null),
            now);
    Allocation held = JobDetails.allocation(job.state());
    List<RecordedStep> steps = recorded.steps();
    Instant start = held == null ? null : details.start();
    Instant eligible = job.eligibleTime();
    long waited =
        start == null || eligible == null
            ? 0
            : Math.max(0, Duration.between(eligible, start).toSeconds());
    return new RunUse(
        job,
        details.outcome(),
        held == null ? 0 : details.elapsedSeconds(),
        held == null ? 0 : held.shares().size(),
        held == null ? 0 : held.cpus(),
        held == null ? 0 : held.memoryMib(),
        held == null ? 0 : held.gpus(),
        details.limit(),
        waited,
        micros(steps),
        peak(steps, now, StepConsumption.TaskSums::memory),
        ofTask(steps),
        peak(steps, now, StepConsumption.TaskSums::gpuPercent),
        peak(steps, now, StepConsumption.TaskSums::gpuMemory));
  }

  private static @Nullable Long micros(List<RecordedStep> steps) {
    Long sum = null;
    for (RecordedStep step : steps) {
      StepConsumption used = step.used();
      if (used != null) {
        sum = (sum == null ? 0 : sum) + used.userMicros() + used.systemMicros();
      }
    }
    return sum;
  }

  private static long ofTask(List<RecordedStep> steps) {
    long most = 0;
    for (RecordedStep step : steps) {
      StepConsumption used = step.used();
      StepConsumption.TaskSums tasks = used == null ? null : used.tasks();
      most = tasks == null ? most : Math.max(most, tasks.memory().most().amount());
    }
    return most;
  }

  /** What a step had at most, and when. */
  private record Block(Instant start, Instant end, long amount) {}

  /** The most of the sums over steps that ran at one time. */
  private static @Nullable Long peak(
      List<RecordedStep> steps,
      Instant now,
      Function<StepConsumption.TaskSums, @Nullable Spread> amount) {
    List<Block> blocks = new ArrayList<>();
    for (RecordedStep step : steps) {
      StepConsumption used = step.used();
      StepConsumption.TaskSums tasks = used == null ? null : used.tasks();
      Spread spread = tasks == null ? null : amount.apply(tasks);
      if (spread != null) {
        Instant end = step.end();
        blocks.add(new Block(step.start(), end == null ? now : end, spread.total()));
      }
    }
    Long most = null;
    for (int i = 0; i < blocks.size(); i++) {
      // The sum is largest at the begin of some step.
      Instant at = blocks.get(i).start();
      long sum = 0;
      for (int j = 0; j < blocks.size(); j++) {
        Block one = blocks.get(j);
        sum += j == i || !one.start().isAfter(at) && one.end().isAfter(at) ? one.amount() : 0;
      }
      most = most == null ? sum : Math.max(most, sum);
    }
    return most;
  }

  /** Whether it held anything for at least a second. */
  boolean ran() {
    return seconds > 0 && cpus > 0;
  }

  /** Whether it is over. */
  boolean over() {
    return outcome != null;
  }

  /** How many CPUs were busy in the mean. */
  double busyCpus() {
    return cpuMicros == null || seconds == 0 ? 0 : cpuMicros / MICROS / seconds;
  }

  /** CPUs by seconds. */
  long cpuSeconds() {
    return seconds * cpus;
  }

  /** The most memory that was used, MiB, rounded up; 0 where that is not known. */
  long peakMib() {
    return peakBytes == null ? 0 : mib(peakBytes);
  }

  /** The most memory that is needed on one node, MiB: an even part, but at least one task's. */
  long peakMibOfNode() {
    return Math.max(mib(peakOfTask), nodes <= 1 ? peakMib() : -Math.floorDiv(-peakMib(), nodes));
  }

  private static long mib(long bytes) {
    return -Math.floorDiv(-bytes, 1L << 20);
  }
}
