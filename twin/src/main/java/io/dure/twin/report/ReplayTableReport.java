package io.dure.twin.report;

import io.dure.twin.result.ReplayResult;
import io.dure.twin.trace.SkippedRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Replays as a table for people. */
public final class ReplayTableReport {
  private static final List<String> HEADINGS =
      List.of(
          "POLICY",
          "WINDOW",
          "JOBS",
          "BSLD",
          "P99",
          "MAX",
          "WAIT_MEAN",
          "WAIT_P99",
          "WAIT_MAX",
          "UTIL",
          "SECONDS",
          "JOBS/S",
          "SCHEDULE");

  private ReplayTableReport() {}

  /** One line for each replay, then what did not run, and what was passed over in the trace. */
  public static String text(List<ReplayReport> runs, List<SkippedRecords> skipped) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADINGS);
    for (ReplayReport run : runs) {
      run.windows().forEach(window -> rows.add(row(window)));
      rows.add(row(run));
    }
    StringBuilder text = new StringBuilder();
    int[] widths = widths(rows);
    for (List<String> row : rows) {
      line(text, row, widths);
    }
    for (ReplayReport run : runs) {
      endings(text, run);
    }
    for (SkippedRecords skip : skipped) {
      text.append("trace: ").append(skip.count()).append(" x ").append(skip.cause());
      text.append(skip.firstLine() == 0 ? "" : " (first in line " + skip.firstLine() + ")");
      text.append('\n');
    }
    return text.toString();
  }

  private static List<String> row(ReplayReport run) {
    TraceWindow window = run.window();
    String jobs = run.windows().isEmpty() ? "all" : "mean of " + run.windows().size();
    return List.of(
        run.policy().text(),
        window == null ? jobs : window.text(),
        Integer.toString(run.counts().jobs()),
        number(run.boundedSlowdown().mean(), 2),
        number(run.boundedSlowdown().p99(), 0),
        number(run.boundedSlowdown().max(), 0),
        number(run.waitSeconds().mean(), 0),
        number(run.waitSeconds().p99(), 0),
        number(run.waitSeconds().max(), 0),
        number(100 * run.utilization(), 1) + "%",
        number(run.wallSeconds(), 2),
        number(run.jobsPerSecond(), 0),
        run.digest().substring(0, 12));
  }

  static String number(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  private static int[] widths(List<List<String>> rows) {
    int[] widths = new int[HEADINGS.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }

  /** Words to the left, numbers to the right. */
  private static void line(StringBuilder text, List<String> row, int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      String blanks = " ".repeat(widths[i] - row.get(i).length());
      boolean word = i < 2 || i == widths.length - 1;
      text.append(i == 0 ? "" : " ").append(word ? row.get(i) + blanks : blanks + row.get(i));
    }
    while (text.charAt(text.length() - 1) == ' ') {
      text.setLength(text.length() - 1);
    }
    text.append('\n');
  }

  private static void endings(StringBuilder text, ReplayReport run) {
    for (String line : remarks(run)) {
      text.append(run.policy().text()).append(": ").append(line).append('\n');
    }
  }

  /** What became of jobs that did not just run to their ends, and what befell them. */
  static List<String> remarks(ReplayReport run) {
    List<String> remarks = new ArrayList<>();
    ReplayReport.Counts counts = run.counts();
    if (counts.finished() < counts.jobs()) {
      StringBuilder text = new StringBuilder();
      text.append(counts.finished()).append(" finished");
      text.append(", ").append(counts.timedOut()).append(" ended by their limits");
      some(text, counts.nodeFailed(), "lost with a node");
      some(text, counts.preempted(), "ended to make room");
      byCause(text, "refused", counts.refused());
      byCause(text, "never started", counts.neverStarted());
      remarks.add(text.toString());
    }
    ReplayResult.Interruptions all = run.interruptions();
    if (all.jobs() > 0) {
      StringBuilder text = new StringBuilder();
      text.append(all.jobs()).append(all.jobs() == 1 ? " job was" : " jobs were");
      text.append(" preempted: ").append(all.requeued()).append(" x requeued, ");
      text.append(all.suspended()).append(" x suspended, ");
      text.append(all.cancelled()).append(" x cancelled");
      remarks.add(text.toString());
    }
    if (all.lost() > 0) {
      remarks.add(all.lost() + " x requeued because a node was lost");
    }
    if (all.lowered() > 0) {
      remarks.add(all.lowered() + " x started with less time than the limit");
    }
    ReplayResult.ReservedStarts reserved = run.reserved();
    if (reserved.jobs() > 0) {
      StringBuilder text = new StringBuilder();
      text.append(reserved.jobs()).append(" x a start reserved after the bound of the wait, ");
      text.append(reserved.late()).append(" x exceeded");
      some(text, reserved.disturbed(), "delayed by runs beyond their limits and lost nodes");
      remarks.add(text.toString());
    }
    ForecastError error = run.forecastError();
    if (error != null) {
      remarks.add(forecast(error));
    }
    return remarks;
  }

  private static String forecast(ForecastError error) {
    return String.format(
        Locale.ROOT,
        "forecast_error %.0f s in the mean (plan from limits %.0f s, all run to their limits %.0f s),"
            + " %.1f%% between p10 and p90; %d jobs that waited a minute or more, one in %d looked at",
        error.meanError(),
        error.meanErrorOfPlan(),
        error.meanErrorByLimits(),
        100 * error.coverage(),
        error.jobs(),
        error.every());
  }

  private static void some(StringBuilder text, int count, String what) {
    if (count > 0) {
      text.append(", ").append(count).append(' ').append(what);
    }
  }

  private static void byCause(StringBuilder text, String what, Map<String, Integer> counts) {
    counts.forEach((why, count) ->
        text.append(", ")
            .append(count)
            .append(' ')
            .append(what)
            .append(" (")
            .append(why)
            .append(')'));
  }
}
