package io.dure.cli.sacct;

import io.dure.cli.command.FakeContext;
import io.dure.cli.scontrol.JobFixture;
import io.dure.model.ExitStatus;
import io.dure.model.accounting.record.AttemptId;
import io.dure.model.gres.GresCount;
import io.dure.model.gres.GresRequest;
import io.dure.model.gres.GresShare;
import io.dure.model.job.Allocation;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.request.JobSpec;
import io.dure.model.request.MemoryRequest;
import io.dure.model.request.ResourceRequest;
import io.dure.model.request.TimeLimit;
import io.dure.model.step.StepConsumption;
import io.dure.model.step.StepConsumption.Spread;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.RecordedStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Recorded attempts for tests: alice's job of 8 CPUs and 4096 MiB of node n1 in partition debug for
 * at most an hour, charged to physics, unless told otherwise.
 */
public final class RunFixture {
  private static final long MIB = 1L << 20;

  private Job job;
  private Instant start = FakeContext.NOW.minusSeconds(4000);
  private long seconds = 1000;
  private int cpus = 8;
  private long memoryMib = 4096;
  private int gpus;
  private @Nullable String gpuType;
  private String partition = "debug";
  private @Nullable JobOutcome outcome = new JobOutcome.Completed(ExitStatus.OK);
  private long paused;
  private boolean requeued;
  private boolean started = true;
  private final List<RecordedStep> steps = new ArrayList<>();

  private RunFixture(Job job) {
    this.job = job;
  }

  /** The first attempt of a job. */
  public static RunFixture of(int id) {
    Job like = JobFixture.running(id).info().job();
    RunFixture fixture = new RunFixture(like);
    ResourceRequest asked = ResourceRequest.of(1, 1, 8);
    return fixture.asks(asked.with().memory(new MemoryRequest.PerNode(4096)).build());
  }

  /** What it asks for. */
  public RunFixture asks(ResourceRequest asked) {
    job = job.withSpec(job.spec().with().resources(asked).build(), 1);
    return this;
  }

  /** What it asks for, other than resources. */
  public RunFixture spec(JobSpec spec) {
    job = job.withSpec(spec, 1);
    return this;
  }

  /** Its name. */
  public RunFixture name(String name) {
    return spec(job.spec().with().name(name).build());
  }

  /** The account that it is charged to. */
  public RunFixture account(@Nullable String account) {
    return spec(job.spec().with().account(account).build());
  }

  /** Its limit. */
  public RunFixture limit(long minutes) {
    return spec(job.spec().with().timeLimit(TimeLimit.minutes(minutes)).build());
  }

  /** Its owner. */
  public RunFixture owner(String user, int uid) {
    job = job.with().owner(JobFixture.running(1).owner(user, uid).info().job().owner()).build();
    return this;
  }

  /** Which attempt it is. */
  public RunFixture attempt(int number) {
    job = job.with().run(number).build();
    return this;
  }

  /** When it ran. */
  public RunFixture ran(String from, long forSeconds) {
    start = Instant.parse(from);
    seconds = forSeconds;
    return this;
  }

  /** For how long it ran. */
  public RunFixture seconds(long forSeconds) {
    seconds = forSeconds;
    return this;
  }

  /** What it held. */
  public RunFixture held(int allCpus, long allMib) {
    cpus = allCpus;
    memoryMib = allMib;
    return this;
  }

  /** The GPUs that it asked for and held. */
  public RunFixture gpus(int count, @Nullable String type) {
    gpus = count;
    gpuType = type;
    GresRequest asked =
        GresRequest.NONE.with().perJob(List.of(new GresCount("gpu", type, count))).build();
    return asks(job.spec().resources().with().gres(asked).build());
  }

  /** Where it ran. */
  public RunFixture in(String name) {
    partition = name;
    return this;
  }

  /** How it ended, null for a run that goes on. */
  public RunFixture ended(@Nullable JobOutcome how) {
    outcome = how;
    return this;
  }

  /** For how long it was suspended meanwhile. */
  public RunFixture paused(long forSeconds) {
    paused = forSeconds;
    return this;
  }

  /** It ended without having started. */
  public RunFixture neverStarted() {
    started = false;
    return this;
  }

  /** It went back into the queue. */
  public RunFixture requeued() {
    requeued = true;
    return this;
  }

  /** A step that used this, from some seconds after the begin to others; GPUs null for unknown. */
  public RunFixture step(int number, long[] when, long cpuSeconds, long mib, @Nullable Long gpu) {
    Spread cpu = Spread.of(cpuSeconds * 1_000_000, "n1", 0);
    Spread memory = Spread.of(mib * MIB, "n1", 0);
    Spread none = Spread.of(0, "n1", 0);
    Spread busy = gpu == null ? null : Spread.of(gpu, "n1", 0);
    StepConsumption used =
        new StepConsumption(
            cpuSeconds * 900_000,
            cpuSeconds * 100_000,
            new StepConsumption.TaskSums(
                1, cpu, memory, memory, none, none, none, busy == null ? null : none, busy),
            0);
    steps.add(
        new RecordedStep(
            number,
            ExitStatus.OK,
            start.plusSeconds(when[0]),
            start.plusSeconds(when[1]),
            "n1",
            1,
            null,
            used));
    return this;
  }

  /** The record. */
  public RecordedJob recorded() {
    List<GresShare> gres =
        gpus == 0
            ? List.of()
            : List.of(
                new GresShare("gpu", gpuType, IntStream.range(0, gpus).boxed().toList(), gpus));
    NodeShare share =
        new NodeShare("n1", IntStream.range(0, cpus).boxed().toList(), cpus, memoryMib, 1, gres);
    Allocation held = new Allocation(partition, List.of(share));
    Instant end = start.plusSeconds(seconds);
    JobState.SuspensionTotals pauses =
        paused == 0
            ? null
            : new JobState.SuspensionTotals(
                Duration.ofSeconds(paused), Duration.ofSeconds(1), end, null);
    JobState state =
        outcome == null
            ? JobState.Running.begun(held, start, null, Hold.NONE, false, true)
            : new JobState.Ended(
                started ? held : null, started ? start : null, end, outcome, null, pauses);
    Job now = job.with().state(state).eligibleTime(start.minusSeconds(600)).build();
    return new RecordedJob(AttemptId.of(now), now, requeued, List.copyOf(steps));
  }
}
