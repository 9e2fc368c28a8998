package io.dure.surface.sacct;

import io.dure.model.accounting.TresAmounts;
import io.dure.model.command.PendingReason;
import io.dure.model.job.Allocation;
import io.dure.model.job.JobOutcome;
import io.dure.model.job.JobState;
import io.dure.model.request.KeptOptions;
import io.dure.model.step.LaunchedStep;
import io.dure.model.step.StepName;
import io.dure.model.step.StepSpec;
import io.dure.protocol.accounting.RecordedStep;
import io.dure.rules.JobReadiness;
import io.dure.surface.accounts.AccountingField;
import io.dure.surface.accounts.StepUsageColumns;
import io.dure.surface.facts.OutputPaths;
import io.dure.surface.print.ElapsedTimeFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The columns of {@code sacct}. */
final class SacctFields {
  private static final long MILLIS_A_SECOND = 1000;

  /** What stands for no reason. */
  static final String NO_REASON = "None";

  /** What columns were called before Slurm 22.05. */
  private static final Map<String, String> FORMER_NAMES =
      Map.of("planned", "reserved", "plannedcpu", "resvcpu", "plannedcpuraw", "resvcpuraw");

  /** All of them, by name. */
  static final List<AccountingField<SacctRow>> ALL = all();

  private SacctFields() {}

  private static List<AccountingField<SacctRow>> all() {
    List<AccountingField<SacctRow>> all = new ArrayList<>();
    ownership(all);
    shape(all);
    times(all);
    words(all);
    ends(all);
    for (AccountingField<SacctRow> field : StepUsageColumns.of(SacctRow::figures)) {
      String name = field.names().getFirst();
      if (name.startsWith("reqcpufreq")) {
        add(all, field.header(), field.width(), SacctFields::frequency);
      } else {
        all.add(field);
      }
    }
    all.sort(Comparator.comparing(field -> field.names().getFirst()));
    return List.copyOf(all);
  }

  private static void ownership(List<AccountingField<SacctRow>> all) {
    add(all, "Account", 10, row -> text(row.job().spec().account()));
    add(all, "AssocID", 7, row -> number(row.recorded().association()));
    add(all, "Cluster", 10, row -> row.style().cluster());
    add(all, "DBIndex", -21, row -> Long.toString(index(row)));
    job(all, "GID", 6, row -> unsigned(row.job().job().owner().gid()));
    job(all, "Group", 9, row -> row.job().job().owner().groupName());
    add(all, "JobID", -12, SacctRow::jobId);
    add(all, "JobIDRaw", -12, SacctRow::rawJobId);
    add(all, "JobName", 10, SacctRow::name);
    job(all, "Partition", 10, row -> row.job().partition());
    job(all, "QOS", 10, row -> text(row.job().spec().qos()));
    job(all, "QOSRAW", 10, row -> number(row.recorded().qos()));
    job(all, "QOSREQ", 10, row -> text(row.job().spec().qos()));
    job(all, "SLUID", -14, row -> row.job().job().sluid());
    job(all, "OriginalSLUID", -14, row -> row.job().job().sluid());
    job(all, "UID", 6, row -> unsigned(row.job().job().owner().uid()));
    job(all, "User", 9, row -> row.job().job().owner().userName());
    job(all, "WCKey", 10, row -> text(row.job().spec().wckey()));
    job(all, "WCKeyID", 8, row -> number(row.recorded().wckey()));
    job(all, "Reservation", 20, row -> text(row.job().reservation()));
    job(all, "ReservationId", 8, SacctFields::reservationId);
    job(all, "ReqReservation", 20, row -> String.join(",", row.job().spec().reservations()));
  }

  private static void shape(List<AccountingField<SacctRow>> all) {
    add(all, "AllocCPUS", 10, row -> Integer.toString(row.cpus()));
    add(
        all,
        "AllocNodes",
        10,
        row -> row.job().allocation() == null ? "0" : Integer.toString(row.nodeCount()));
    add(all, "AllocTRES", 10, row -> tres(row, RowResources.allocated(row)));
    job(all, "Constraints", 19, row -> text(row.job().spec().resources().features()));
    add(all, "Layout", 9, SacctFields::layout);
    add(all, "NCPUS", 10, row -> Integer.toString(row.cpus()));
    add(all, "NNodes", 8, row -> Integer.toString(row.nodeCount()));
    add(all, "NodeList", 15, SacctRow::nodes);
    add(all, "NTasks", 8, row -> row.step() == null ? "" : Integer.toString(row.step().tasks()));
    job(all, "Priority", 10, row -> Long.toString(row.job().job().priority()));
    add(
        all,
        "ReqCPUS",
        8,
        row ->
            Integer.toString(
                row.step() == null ? row.job().spec().resources().neededCpus() : row.cpus()));
    job(all, "ReqMem", 10, row -> row.style().units().mib(asked(row)));
    add(
        all,
        "ReqNodes",
        8,
        row ->
            Integer.toString(
                row.step() == null ? row.job().spec().resources().minNodes() : row.nodeCount()));
    job(all, "ReqTRES", 10, row -> tres(row, RowResources.requested(row)));
    job(all, "Licenses", 10, row -> row.job().licenses(""));
    job(all, "Restarts", 8, row -> Integer.toString(row.job().job().restarts()));
    job(all, "OverSubscribe", 13, row -> row.job().sharesCores() ? "YES" : "NO");
    job(all, "Exclusive", 14, SacctFields::exclusive);
    job(all, "SegmentSize", 11, SacctFields::segment);
  }

  private static void times(List<AccountingField<SacctRow>> all) {
    add(all, "CPUTime", 10, row -> ElapsedTimeFormat.full(row.elapsed() * row.cpus()));
    add(all, "CPUTimeRAW", 10, row -> Long.toString(row.elapsed() * row.cpus()));
    add(all, "Elapsed", 10, row -> ElapsedTimeFormat.full(row.elapsed()));
    add(all, "ElapsedRaw", 10, row -> Long.toString(row.elapsed()));
    add(all, "Eligible", 19, row -> time(row, eligible(row), "Unknown"));
    add(all, "End", 19, row -> time(row, row.end(), "Unknown"));
    job(all, "Planned", 10, row -> ElapsedTimeFormat.full(waited(row)));
    job(all, "PlannedCPU", 10, row -> ElapsedTimeFormat.full(waited(row) * row.cpus()));
    job(all, "PlannedCPURAW", 13, row -> Long.toString(waited(row) * row.cpus()));
    add(all, "Start", 19, row -> time(row, row.start(), row.end() == null ? "Unknown" : "None"));
    add(
        all,
        "Submit",
        19,
        row ->
            time(
                row,
                row.step() == null ? row.job().job().attemptTime() : row.step().start(),
                "Unknown"));
    add(all, "Suspended", 10, row -> ElapsedTimeFormat.full(row.suspended()));
    add(all, "SystemCPU", 10, row -> cpuTime(row.micros(false, true)));
    job(all, "Timelimit", 10, row -> limit(row.job().limit()));
    job(all, "TimelimitRaw", 12, row -> rawLimit(row.job().limit()));
    add(all, "TotalCPU", 10, row -> cpuTime(row.micros(true, true)));
    add(all, "UserCPU", 10, row -> cpuTime(row.micros(true, false)));
  }

  private static void words(List<AccountingField<SacctRow>> all) {
    job(all, "AdminComment", 15, row -> text(row.job().spec().adminComment()));
    add(all, "BlockID", 16, _ -> "");
    job(all, "Comment", 14, row -> text(row.job().spec().comment()));
    job(all, "Container", 19, row -> text(kept(row).container()));
    job(all, "Extra", 14, row -> text(kept(row).extra()));
    job(all, "McsLabel", 12, row -> text(kept(row).mcsLabel()));
    job(all, "StdErr", 20, row -> batchPath(row, OutputPaths.error(row.job())));
    job(all, "StdIn", 20, row -> batchPath(row, OutputPaths.input(row.job())));
    job(all, "StdOut", 20, row -> batchPath(row, OutputPaths.output(row.job())));
    add(all, "SubmitLine", 20, SacctFields::submitLine);
    job(all, "SystemComment", 20, _ -> "");
    job(all, "WorkDir", 20, row -> row.job().job().workload().workDirectory());
  }

  private static void ends(List<AccountingField<SacctRow>> all) {
    job(all, "DerivedExitCode", 15, row -> row.job().job().runSteps().highest().text());
    add(all, "ExitCode", 8, row -> row.exit().text());
    job(
        all,
        "FailedNode",
        10,
        row -> row.job().outcome() instanceof JobOutcome.NodeFailed failed ? failed.node() : "");
    job(all, "Flags", 19, row -> SchedulingFlag.words(row.job()));
    job(all, "Reason", 22, row -> Objects.requireNonNullElse(reason(row), NO_REASON));
    add(all, "State", 10, SacctRow::state);
  }

  private static void add(
      List<AccountingField<SacctRow>> all,
      String header,
      int width,
      Function<SacctRow, String> value) {
    String name = header.toLowerCase(Locale.ROOT);
    String before = FORMER_NAMES.get(name);
    List<String> names = before == null ? List.of(name) : List.of(name, before);
    all.add(new AccountingField<>(header, names, width, value));
  }

  /** A column that is empty in the rows of steps. */
  private static void job(
      List<AccountingField<SacctRow>> all,
      String header,
      int width,
      Function<SacctRow, String> value) {
    add(all, header, width, row -> row.step() == null ? value.apply(row) : "");
  }

  private static long index(SacctRow row) {
    return (long) row.recorded().attempt().number() << Integer.SIZE
        | row.recorded().attempt().jobId();
  }

  private static String text(@Nullable String text) {
    return Objects.requireNonNullElse(text, "");
  }

  private static String unsigned(int number) {
    return Integer.toUnsignedString(number);
  }

  private static String number(@Nullable Integer number) {
    return number == null ? "0" : number.toString();
  }

  private static long asked(SacctRow row) {
    long asked = row.job().askedMemoryMib();
    return asked == 0 ? row.job().memoryMib() : asked;
  }

  /** No frequency is asked for; the batch script says so in another way. */
  private static String frequency(SacctRow row) {
    boolean batch = row.step() != null && row.step().step() == StepName.BatchStep.NUMBER;
    return batch ? "0" : "Unknown";
  }

  private static String batchPath(SacctRow row, @Nullable String path) {
    if (path == null || !row.job().job().isBatch()) {
      return "";
    }
    return row.style().expandsPatterns() ? OutputPaths.expand(path, row.job()) : path;
  }

  private static String tres(SacctRow row, TresAmounts amounts) {
    return amounts.amounts().stream()
        .map(one ->
            one.name()
                + "="
                + (one.name().equals(TresAmounts.MEMORY)
                    ? row.style().units().mib(one.amount())
                    : Long.toString(one.amount())))
        .sorted()
        .collect(Collectors.joining(","));
  }

  /** Which nodes it takes for itself, as {@code scontrol show job} says it. */
  static String exclusive(SacctRow row) {
    return row.job().spec().resources().sharing().excludes();
  }

  private static KeptOptions kept(SacctRow row) {
    return row.job().spec().resources().more().shown();
  }

  private static String segment(SacctRow row) {
    Integer size = row.job().spec().resources().reach().segment();
    return size == null ? "" : Integer.toString(size);
  }

  static String layout(SacctRow row) {
    RecordedStep step = row.step();
    if (step == null) {
      return "";
    }
    LaunchedStep launched = step.launched();
    if (launched == null) {
      return "Unknown";
    }
    // A task on each node is of either kind, and Slurm calls it so.
    boolean spread = launched.spec().tasks() <= row.nodeCount();
    StepSpec.Distribution distribution = launched.spec().layout().distribution();
    return spread && distribution == StepSpec.Distribution.BLOCK ? "Cyclic" : layout(distribution);
  }

  /**
   * A job that is not eligible is so from its begin time on, unless something else keeps it back.
   */
  static @Nullable Instant eligible(SacctRow row) {
    if (row.step() != null) {
      return row.step().start();
    }
    Instant eligible = row.job().job().eligibleTime();
    return eligible == null && keptBack(row) == null ? begin(row) : eligible;
  }

  static @Nullable String reason(SacctRow row) {
    String kept = keptBack(row);
    Instant begin = begin(row);
    return kept == null
            && row.job().job().state() instanceof JobState.Pending
            && begin != null
            && begin.isAfter(row.style().now())
        ? PendingReason.BEGIN_TIME
        : kept;
  }

  /** When it may start at the earliest, null for at once. */
  private static @Nullable Instant begin(SacctRow row) {
    Instant begin = JobReadiness.notBefore(row.job().job());
    return begin.equals(Instant.MIN) ? null : begin;
  }

  private static @Nullable String keptBack(SacctRow row) {
    return row.job().job().state() instanceof JobState.Pending pending ? pending.reason() : null;
  }

  static String submitLine(SacctRow row) {
    RecordedStep step = row.step();
    if (step == null) {
      return row.job().job().workload().submitLine();
    }
    LaunchedStep launched = step.launched();
    return launched == null ? "" : text(launched.spec().submitLine());
  }

  private static String layout(StepSpec.Distribution distribution) {
    return switch (distribution) {
      case BLOCK, EVEN, PACKED -> "Block";
      case CYCLIC -> "Cyclic";
      case PLANE -> "Plane";
      case ARBITRARY -> "Arbitrary";
    };
  }

  static long waited(SacctRow row) {
    Instant from = row.job().job().eligibleTime();
    Instant until = row.start();
    if (from == null || until == null && row.end() != null) {
      return 0;
    }
    Instant end = until == null ? row.style().now() : until;
    return Math.max(0, end.getEpochSecond() - from.getEpochSecond());
  }

  private static String time(SacctRow row, @Nullable Instant at, String absent) {
    return row.style().times().formatOr(at, absent);
  }

  /** Minutes and seconds to the millisecond below an hour, else whole seconds. */
  private static String cpuTime(long micros) {
    long seconds = micros / 1_000_000;
    if (seconds >= 3600 || micros / 1000 == 0) {
      return ElapsedTimeFormat.full(seconds);
    }
    return String.format(
        Locale.ROOT, "%02d:%02d.%03d", seconds / 60, seconds % 60, micros / 1000 % MILLIS_A_SECOND);
  }

  private static String limit(@Nullable Duration limit) {
    return limit == null ? "UNLIMITED" : ElapsedTimeFormat.full(limit.toSeconds());
  }

  private static String rawLimit(@Nullable Duration limit) {
    return limit == null ? "UNLIMITED" : Long.toString(limit.toMinutes());
  }

  private static String reservationId(SacctRow row) {
    Allocation held = row.job().allocation();
    Integer id = held == null ? null : held.reservationId();
    return id == null ? "" : id.toString();
  }
}
