package io.dure.cli.efficiency;

import io.dure.model.job.Job;
import io.dure.model.job.JobOutcome;
import io.dure.surface.facts.SlurmJobState;
import io.dure.surface.language.TextTable;
import io.dure.surface.print.ElapsedTimeFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Efficiency as text. For one thread, used once. */
final class EfficiencyText {
  private static final int MOST_GROUPS = 20;
  private static final double SECONDS_AN_HOUR = 3600;
  private static final double PERCENT = 100;
  private static final String UNKNOWN = "-";
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);

  private final StringBuilder text = new StringBuilder();
  private final Instant now;

  EfficiencyText(Instant now) {
    this.now = now;
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private void table(List<List<String>> rows) {
    TextTable.lines(rows).forEach(this::line);
  }

  /** One job. */
  String job(JobReport report) {
    RunUse run = report.last();
    Job job = run.job();
    line(TextTable.lines(List.of(List.of(title(run)))).getFirst());
    if (report.before() > 0) {
      line(
          "It was put back into the queue: "
              + report.before()
              + " attempt(s) before this one held "
              + hours(report.lostSeconds())
              + " CPU-hours.");
    }
    if (!run.ran()) {
      line(
          job.state().allocated() == null && !run.over()
              ? "It has not started, so it used nothing. dure-why " + job.displayId() + " says why."
              : "It held nothing for a second or longer, so there is nothing to compare.");
      return text.toString();
    }
    table(figures(run));
    if (!run.over()) {
      line("It runs: only steps that have ended are counted. sstat shows those that run.");
      return text.toString();
    }
    advice(report);
    return text.toString();
  }

  private static String title(RunUse run) {
    Job job = run.job();
    return "Job "
        + job.displayId()
        + " "
        + job.spec().name()
        + ", user "
        + job.owner().userName()
        + (job.spec().account() == null ? "" : ", account " + job.spec().account())
        + ": "
        + state(run);
  }

  private static String state(RunUse run) {
    JobOutcome outcome = run.outcome();
    return outcome == null
        ? SlurmJobState.base(run.job().state()).name()
        : SlurmJobState.of(outcome).name();
  }

  private static List<List<String>> figures(RunUse run) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("", "asked", "had", "used", "used of it"));
    Duration limit = run.limit();
    rows.add(
        List.of(
            "time",
            limit == null ? "no limit" : ElapsedTimeFormat.full(limit.toSeconds()),
            limit == null ? "no limit" : ElapsedTimeFormat.full(limit.toSeconds()),
            ElapsedTimeFormat.full(run.seconds()),
            limit == null || limit.isZero()
                ? UNKNOWN
                : percent((double) run.seconds() / limit.toSeconds())));
    rows.add(
        List.of(
            "CPUs busy in the mean",
            Integer.toString(run.job().spec().resources().neededCpus()),
            Integer.toString(run.cpus()),
            run.cpuMicros() == null ? UNKNOWN : number(run.busyCpus()),
            run.cpuMicros() == null ? UNKNOWN : percent(run.busyCpus() / run.cpus())));
    long asked = run.job().spec().resources().memoryMib();
    boolean known = run.peakBytes() != null;
    rows.add(
        List.of(
            "MiB of memory at most",
            asked == 0 ? "default" : Long.toString(asked),
            run.memoryMib() == 0 ? "no limit" : Long.toString(run.memoryMib()),
            known ? Long.toString(run.peakMib()) : UNKNOWN,
            known && run.memoryMib() > 0
                ? percent((double) run.peakMib() / run.memoryMib())
                : UNKNOWN));
    if (run.gpus() > 0) {
      Long busy = run.gpuPercent();
      rows.add(
          List.of(
              "GPUs busy at most",
              Long.toString(run.job().spec().resources().totalGpus()),
              Long.toString(run.gpus()),
              busy == null ? UNKNOWN : number(busy / PERCENT),
              busy == null ? UNKNOWN : percent(busy / PERCENT / run.gpus())));
    }
    return rows;
  }

  private void advice(JobReport report) {
    RunUse run = report.last();
    if (run.cpuMicros() == null) {
      line("No use of CPUs and memory was recorded (JobAcctGatherType, or no step ended).");
    }
    if (run.seconds() < NextRequest.LEAST_SECONDS) {
      line("It ran for less than a minute, which says nothing of the next time.");
      return;
    }
    if (report.next().advice().isEmpty()) {
      line("Nothing to ask for differently the next time.");
      return;
    }
    line("");
    line("The next time ask for:");
    List<List<String>> rows = new ArrayList<>();
    for (Advice one : report.next().advice()) {
      rows.add(List.of("  " + one.text() + "  (" + one.why() + ")"));
    }
    table(rows);
    JobReport.Trial trial = report.trial();
    line("");
    line("It waited " + ElapsedTimeFormat.full(run.waited()) + " then. What the queue was then is");
    line("not kept for a replay, so this is asked of the queue as it is now:");
    if (trial == null) {
      line("  (not asked)");
    } else {
      trial(trial);
    }
  }

  private void trial(JobReport.Trial trial) {
    Instant asked = trial.asked();
    Instant better = trial.better();
    if (asked != null) {
      line("  submitted as it was asked for, it would start in " + away(asked));
    }
    if (better != null) {
      line("  submitted as said above, it would start in       " + away(better));
    }
    if (asked != null && better != null) {
      long sooner = Duration.between(better, asked).toSeconds();
      line(
          sooner > 0
              ? "  so it would wait " + ElapsedTimeFormat.full(sooner) + " less"
              : "  so it would start no sooner; others would get what it leaves");
    } else {
      line("  the cluster says: " + trial.refusal());
    }
  }

  private String away(Instant at) {
    return ElapsedTimeFormat.full(Math.max(0, Duration.between(now, at).toSeconds()));
  }

  /** Several tasks or components of one job. */
  String jobs(List<JobReport> reports) {
    UseTotals all = new UseTotals();
    List<List<String>> rows = new ArrayList<>();
    rows.add(header("job"));
    for (JobReport report : reports) {
      UseTotals one = new UseTotals();
      one.add(report.last());
      all.add(report.last());
      rows.add(row(report.last().job().displayId(), one));
    }
    rows.add(row("all", all));
    table(rows);
    next(all);
    reports.forEach(report -> trial(report.trial(), report.last()));
    return text.toString();
  }

  /** Jobs of a user or an account. */
  String many(ManyReport report, boolean everything, ZoneId zone) {
    Instant until = report.until();
    line(
        "Efficiency of "
            + TextTable.lines(List.of(List.of(report.subject()))).getFirst()
            + " from "
            + MINUTE.format(report.from().atZone(zone))
            + " to "
            + MINUTE.format((until == null ? now : until).atZone(zone)));
    if (report.all().runs() == 0) {
      line("No jobs in that time, or none that you may see.");
      return text.toString();
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(header(report.byUser() ? "user" : "job name"));
    List<Map.Entry<String, UseTotals>> groups = report.groups();
    int shown = everything ? groups.size() : Math.min(MOST_GROUPS, groups.size());
    for (Map.Entry<String, UseTotals> one : groups.subList(0, shown)) {
      rows.add(row(one.getKey(), one.getValue()));
    }
    rows.add(row("all", report.all()));
    table(rows);
    if (shown < groups.size()) {
      line(groups.size() - shown + " more with fewer idle CPU-hours (--all)");
    }
    if (report.all().unknown() > 0) {
      line(
          "Of "
              + report.all().unknown()
              + " attempt(s) no use is recorded; they are in no percentage.");
    }
    List<Map.Entry<ManyReport.Work, UseTotals>> advised = report.advised();
    if (!advised.isEmpty()) {
      line("");
    }
    int most = everything ? advised.size() : Math.min(MOST_GROUPS, advised.size());
    for (Map.Entry<ManyReport.Work, UseTotals> one : advised.subList(0, most)) {
      ManyReport.Work work = one.getKey();
      next((report.byUser() ? work.user() + ": " : "") + work.name(), one.getValue());
      trial(report.trial(work), one.getValue().example());
    }
    return text.toString();
  }

  /** What the queue of now says of one of several jobs. */
  private void trial(JobReport.@Nullable Trial trial, @Nullable RunUse tried) {
    if (trial == null || tried == null) {
      return;
    }
    Instant asked = trial.asked();
    Instant better = trial.better();
    String job = "  job " + tried.job().displayId() + ", submitted now";
    if (asked == null || better == null) {
      line(job + ": the cluster says: " + trial.refusal());
      return;
    }
    long sooner = Duration.between(better, asked).toSeconds();
    line(
        job
            + " as it was asked for, would start in "
            + away(asked)
            + (sooner > 0
                ? ", with less " + ElapsedTimeFormat.full(sooner) + " sooner"
                : ", with less no sooner"));
  }

  private void next(UseTotals all) {
    if (!all.text().isEmpty()) {
      line("The next time ask for: " + all.text());
    }
  }

  private void next(String name, UseTotals of) {
    if (!of.text().isEmpty()) {
      line(
          TextTable.lines(List.of(List.of("The next time ask for " + name + ": " + of.text())))
              .getFirst());
    }
  }

  private static List<String> header(String first) {
    return List.of(
        first,
        "attempts",
        "CPU-hours",
        "idle",
        "CPUs used",
        "memory used",
        "GPU-hours",
        "GPUs used",
        "time used");
  }

  private static List<String> row(String name, UseTotals of) {
    return List.of(
        name,
        Long.toString(of.runs()),
        hours(of.cpuSeconds()),
        hours(of.idleCpuSeconds()),
        percent(of.cpus()),
        percent(of.memory()),
        of.gpuSeconds() == 0 ? UNKNOWN : hours(of.gpuSeconds()),
        percent(of.gpus()),
        percent(of.time()));
  }

  private static String hours(long seconds) {
    return number(seconds / SECONDS_AN_HOUR);
  }

  private static String percent(@Nullable Double part) {
    return part == null ? UNKNOWN : Math.round(PERCENT * part) + " %";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
