package io.dure.surface.sacct;

import io.dure.model.ExitStatus;
import io.dure.model.HostList;
import io.dure.model.job.Allocation;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.job.NodeShare;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepName;
import io.dure.model.step.StepShare;
import io.dure.protocol.JobInfo;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.RecordedStep;
import io.dure.surface.accounts.StepUsageFigures;
import io.dure.surface.facts.JobDetails;
import io.dure.surface.facts.SlurmJobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A row of the listing: an attempt of a job, or a step of one.
 *
 * @param recorded the attempt
 * @param step the step, null in the row of the job itself
 * @param job the attempt's job, with what follows from it
 * @param style how values are written
 */
record SacctRow(
    RecordedJob recorded, @Nullable RecordedStep step, JobDetails job, SacctStyle style) {

  /** The row of a job, and those of its steps. */
  static List<SacctRow> of(RecordedJob recorded, SacctStyle style) {
    Job job = recorded.job();
    JobDetails details =
        new JobDetails(
            new JobInfo(
                job, "None", null, List.of(), null, false, "", false, style.tres(), null, null),
            style.now());
    List<SacctRow> rows = new ArrayList<>();
    rows.add(new SacctRow(recorded, null, details, style));
    recorded.steps().forEach(step -> rows.add(new SacctRow(recorded, step, details, style)));
    return rows;
  }

  /** A moment in seconds since 1970, 0 for none. */
  static long seconds(@Nullable Instant at) {
    return at == null ? 0 : at.getEpochSecond();
  }

  /** The name of its step, null in the row of the job itself. */
  @Nullable String stepName() {
    return step == null ? null : StepName.text(step.step());
  }

  String jobId() {
    return withStep(style.ids().text(job.job()));
  }

  String rawJobId() {
    return withStep(Integer.toString(job.job().id()));
  }

  private String withStep(String id) {
    return step == null ? id : id + "." + stepName();
  }

  String name() {
    if (step == null) {
      return job.spec().name();
    }
    LaunchedStep launched = step.launched();
    return launched == null ? StepName.text(step.step()) : launched.spec().name();
  }

  @Nullable Instant start() {
    Instant from = style.from();
    Instant start = step == null ? begun() : step.start();
    return style.truncates() && start != null && from != null && start.isBefore(from)
        ? from
        : start;
  }

  private @Nullable Instant begun() {
    return job.base() == SlurmJobState.PENDING || job.allocation() == null ? null : job.start();
  }

  @Nullable Instant end() {
    Instant until = style.until();
    Instant end = step == null ? over() : step.end() == null ? over() : step.end();
    return style.truncates() && until != null && (end == null || end.isAfter(until)) ? until : end;
  }

  private @Nullable Instant over() {
    return switch (job.job().state()) {
      case JobState.Completing completing -> completing.end();
      case JobState.Ended ended -> ended.end();
      case JobState.Pending _, JobState.Running _, JobState.Suspended _ -> null;
    };
  }

  /** Seconds that it ran, pauses left out. */
  long elapsed() {
    Instant from = start();
    if (from == null) {
      return 0;
    }
    Instant until = end();
    long since = (until == null ? style.now() : until).getEpochSecond() - from.getEpochSecond();
    return Math.max(0, since - suspended());
  }

  /** Seconds that it stood still, of the time that is shown. */
  long suspended() {
    long all = suspendedInAll();
    List<RecordedJob.Pause> pauses = recorded.pauses();
    Instant from = start();
    boolean whole = step == null && !style.truncates();
    // A release that did not record the pauses has their sum alone.
    if (whole || all == 0 || from == null || pauses == null || pauses.isEmpty()) {
      return all;
    }
    Instant until = Objects.requireNonNullElse(end(), style.now());
    long seconds = 0;
    for (RecordedJob.Pause pause : pauses) {
      Instant over = Objects.requireNonNullElse(pause.end(), until);
      long first = Math.max(seconds(pause.start()), seconds(from));
      seconds += Math.max(0, Math.min(seconds(over), seconds(until)) - first);
    }
    return seconds;
  }

  /** Seconds that its job stood still. */
  private long suspendedInAll() {
    JobState.SuspensionTotals pauses =
        switch (job.job().state()) {
          case JobState.Running running -> running.pauses();
          case JobState.Suspended paused -> paused.pausesUntil(style.now());
          case JobState.Completing completing -> completing.pauses();
          case JobState.Ended ended -> ended.pauses();
          case JobState.Pending _ -> null;
        };
    return pauses == null ? 0 : pauses.total().toSeconds();
  }

  String state() {
    return step == null ? jobState() : stepState(step);
  }

  /** The words of its state, without who brought it about. */
  List<String> states() {
    String state = state();
    int blank = state.indexOf(' ');
    return List.of(blank < 0 ? state : state.substring(0, blank));
  }

  private String jobState() {
    if (recorded.requeued() && job.outcome() instanceof JobOutcome.Cancelled) {
      return SlurmJobState.REQUEUED.name();
    }
    return job.outcome() instanceof JobOutcome.Cancelled cancelled
        ? "CANCELLED by " + Integer.toUnsignedLong(cancelled.uid())
        : job.base().name();
  }

  private String stepState(RecordedStep of) {
    if (of.end() == null && over() == null) {
      return job.job().state() instanceof JobState.Suspended ? "SUSPENDED" : "RUNNING";
    }
    ExitStatus exit = of.exit();
    boolean external = of.step() == StepName.ExternStep.NUMBER;
    if (external) {
      return SlurmJobState.COMPLETED.name();
    }
    if (of.end() == null) {
      return SlurmJobState.CANCELLED.name();
    }
    if (exit.signal() != 0) {
      return job.outcome() instanceof JobOutcome.OutOfMemory
          ? SlurmJobState.OUT_OF_MEMORY.name()
          : SlurmJobState.CANCELLED.name();
    }
    return exit.code() == 0 ? SlurmJobState.COMPLETED.name() : SlurmJobState.FAILED.name();
  }

  ExitStatus exit() {
    if (step != null) {
      return step.exit();
    }
    // Slurm tells its database of the end when the job is cancelled, before there is an exit code.
    return job.outcome() instanceof JobOutcome.Cancelled ? ExitStatus.OK : job.exit();
  }

  String nodes() {
    if (step != null) {
      return step.nodes();
    }
    return job.allocation() == null ? "None assigned" : job.nodeList();
  }

  int nodeCount() {
    return step == null ? job.nodeCount() : HostList.expand(step.nodes()).size();
  }

  int cpus() {
    if (step == null) {
      return job.cpus();
    }
    LaunchedStep launched = step.launched();
    if (launched != null) {
      return launched.shares().stream().mapToInt(StepShare::cpus).sum();
    }
    return (int) share(step, NodeShare::cpus);
  }

  /** What the job has on the nodes of its own step. */
  private long share(RecordedStep of, ToLongFunction<NodeShare> amount) {
    Allocation held = job.allocation();
    if (held == null) {
      return 0;
    }
    List<String> nodes = HostList.expand(of.nodes());
    return held.shares().stream().filter(one -> nodes.contains(one.node())).mapToLong(amount).sum();
  }

  long memoryMib() {
    if (step == null) {
      return job.memoryMib();
    }
    LaunchedStep launched = step.launched();
    return launched != null
        ? launched.shares().stream().mapToLong(StepShare::memoryMib).sum()
        : share(step, NodeShare::memoryMib);
  }

  /** What its tasks used, null where that is not known. */
  @Nullable StepUsageFigures figures() {
    return step == null ? null : StepUsageFigures.of(step.used(), style.units());
  }

  /** Processor time in the kernel or outside, microseconds; of all steps for a job. */
  long micros(boolean user, boolean system) {
    List<RecordedStep> steps = step == null ? recorded.steps() : List.of(step);
    long sum = 0;
    for (RecordedStep one : steps) {
      if (one.used() != null) {
        sum += (user ? one.used().userMicros() : 0) + (system ? one.used().systemMicros() : 0);
      }
    }
    return sum;
  }
}
