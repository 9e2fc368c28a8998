package io.dure.cli.seff;

import io.dure.cli.efficiency.RunUse;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.model.request.MemoryRequest;
import io.dure.protocol.accounting.RecordedJob;
import io.dure.protocol.accounting.RecordedStep;
import io.dure.surface.facts.SlurmJobState;
import io.dure.surface.print.ElapsedTimeFormat;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * The use of one attempt of a job, as text.
 *
 * @param cluster where it ran
 * @param tasks the most tasks that a step of it had
 */
record SeffReport(RunUse use, String cluster, int tasks) {
  private static final List<String> UNITS = List.of("KB", "MB", "GB", "TB", "PB", "EB");
  private static final int STEP = 1024;
  private static final long MICROS = 1_000_000;

  static SeffReport of(RecordedJob recorded, String cluster, Instant now) {
    int tasks = recorded.steps().stream().mapToInt(RecordedStep::tasks).max().orElse(0);
    return new SeffReport(RunUse.of(recorded, now), cluster, tasks);
  }

  /** The lines that people read. */
  String text() {
    StringBuilder text = new StringBuilder();
    Job job = use.job();
    line(text, "Job ID: " + job.id());
    if (!array().isEmpty()) {
      line(text, "Array Job ID: " + array());
    }
    line(text, "Cluster: " + cluster);
    line(text, "User/Group: " + job.owner().userName() + "/" + job.owner().groupName());
    JobOutcome outcome = use.outcome();
    line(
        text,
        "State: "
            + state()
            + (outcome == null ? "" : " (exit code " + outcome.exit().code() + ")"));
    if (SlurmJobState.base(job.state()) == SlurmJobState.PENDING) {
      line(text, "Efficiency not available for jobs in the PENDING state.");
      return text.toString();
    }
    figures(text);
    if (outcome == null) {
      line(text, "WARNING: Efficiency statistics may be misleading for " + state() + " jobs.");
    }
    return text.toString();
  }

  private void figures(StringBuilder text) {
    if (use.cpus() == 1) {
      line(text, "Cores: 1");
    } else {
      line(text, "Nodes: " + use.nodes());
      line(text, "Cores per node: " + (use.nodes() == 0 ? 0 : use.cpus() / use.nodes()));
    }
    long held = use.seconds() * use.cpus();
    line(text, "CPU Utilized: " + ElapsedTimeFormat.full(cpuSeconds()));
    line(
        text,
        "CPU Efficiency: "
            + percent(cpuSeconds(), held)
            + " of "
            + ElapsedTimeFormat.full(held)
            + " core-walltime");
    line(text, "Job Wall-clock time: " + ElapsedTimeFormat.full(use.seconds()));
    line(text, "Memory Utilized: " + size(usedKib()) + (tasks > 1 ? " (estimated maximum)" : ""));
    boolean perCpu = use.job().spec().resources().memory() instanceof MemoryRequest.PerCpu;
    int parts = Math.max(1, perCpu ? use.cpus() : use.nodes());
    line(
        text,
        "Memory Efficiency: "
            + percent(usedKib(), heldKib())
            + " of "
            + size(heldKib())
            + " ("
            + size(heldKib() / parts)
            + (perCpu ? "/core)" : "/node)"));
  }

  /** The figures as they are, for programs: KiB and seconds. */
  String data() {
    Job job = use.job();
    boolean perNode = !(job.spec().resources().memory() instanceof MemoryRequest.PerCpu);
    JobOutcome outcome = use.outcome();
    List<String> values =
        List.of(
            Integer.toString(job.id()),
            array(),
            job.owner().userName(),
            job.owner().groupName(),
            state(),
            cluster,
            Integer.toString(use.cpus()),
            Integer.toString(use.nodes()),
            Integer.toString(tasks),
            Long.toString(heldKib()),
            perNode ? "1" : "0",
            Long.toString(cpuSeconds()),
            Long.toString(use.seconds()),
            Long.toString(usedKib()),
            Integer.toString(outcome == null ? 0 : outcome.exit().code()));
    return "Slurm data: JobID ArrayJobID User Group State Clustername Ncpus Nnodes Ntasks Reqmem"
        + " PerNode Cput Walltime Mem ExitStatus\nSlurm data: "
        + String.join(" ", values)
        + "\n";
  }

  private String array() {
    Job job = use.job();
    return switch (job.array()) {
      case null -> "";
      case ArrayPart.Task _, ArrayPart.Waiting _ -> job.displayId();
    };
  }

  private String state() {
    JobOutcome outcome = use.outcome();
    return outcome == null
        ? SlurmJobState.base(use.job().state()).name()
        : SlurmJobState.of(outcome).name();
  }

  private long cpuSeconds() {
    Long micros = use.cpuMicros();
    return micros == null ? 0 : micros / MICROS;
  }

  private long usedKib() {
    Long bytes = use.peakBytes();
    return bytes == null ? 0 : bytes / STEP;
  }

  private long heldKib() {
    return use.memoryMib() * STEP;
  }

  private static void line(StringBuilder text, String line) {
    text.append(line).append('\n');
  }

  private static String percent(long part, long whole) {
    double percent = whole == 0 ? 0 : 100.0 * part / whole;
    return String.format(Locale.ROOT, "%.2f%%", percent);
  }

  /** An amount of KiB in the unit that fits; none is {@code 0.00 MB}. */
  private static String size(long kib) {
    if (kib == 0) {
      return "0.00 MB";
    }
    double amount = kib;
    int unit = 0;
    while (amount >= STEP && unit < UNITS.size() - 1) {
      amount /= STEP;
      unit++;
    }
    return String.format(Locale.ROOT, "%.2f %s", amount, UNITS.get(unit));
  }
}
