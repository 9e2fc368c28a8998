package io.dure.twin.report;

import io.dure.twin.result.ReplayResult;
import io.dure.twin.trace.SkippedRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** One page that needs nothing beside it: no script, no font, no picture from elsewhere. */
public final class ReplayHtmlReport {
  private static final int PARTS = 160;
  private static final int FAIRNESS_PARTS = 24;
  private static final int USERS = 12;
  private static final int MOST_PLOTTED = 8;
  private static final int COLOURS = 8;

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>%s</title>
      <style>
      :root {
        color-scheme: light dark; --grid: #8885; --soft: #666;
        --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #b6428f;
        --c4: #c98a00; --c5: #3a9bd9; --c6: #8a7f00; --c7: #777;
      }
      @media (prefers-color-scheme: dark) {
        :root {
          --soft: #aaa; --c0: #4aa8e0; --c1: #ff8a3d; --c2: #2fcf9f; --c3: #e59acb;
          --c4: #f2b84b; --c5: #8fd0f5; --c6: #c9bf4a; --c7: #aaa;
        }
      }
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; }
      h2 { font-size: 1.15rem; margin: 2rem 0 0; }
      p { margin: .3rem 0; }
      .soft { color: var(--soft); }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1rem 0; }
      td, th { padding: .2rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--grid); }
      thead tr:first-child th { border-bottom: none; padding-bottom: 0; text-align: center; }
      td:first-child, thead tr:first-child th:first-child, thead tr th[rowspan] { text-align: left; vertical-align: bottom; border-bottom: 1px solid var(--grid); }
      thead tr th[rowspan]:not(:first-child) { text-align: right; }
      .wide { overflow-x: auto; }
      svg { width: 100%; height: auto; }
      svg text { font-size: 12.5px; fill: currentColor; }
      .grid { stroke: var(--grid); }
      .line { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
      .c0 { fill: var(--c0); } .line.c0 { fill: none; stroke: var(--c0); }
      .c1 { fill: var(--c1); } .line.c1 { fill: none; stroke: var(--c1); }
      .c2 { fill: var(--c2); } .line.c2 { fill: none; stroke: var(--c2); }
      .c3 { fill: var(--c3); } .line.c3 { fill: none; stroke: var(--c3); }
      .c4 { fill: var(--c4); } .line.c4 { fill: none; stroke: var(--c4); }
      .c5 { fill: var(--c5); } .line.c5 { fill: none; stroke: var(--c5); }
      .c6 { fill: var(--c6); } .line.c6 { fill: none; stroke: var(--c6); }
      .c7 { fill: var(--c7); } .line.c7 { fill: none; stroke: var(--c7); }
      .legend { list-style: none; margin: .2rem 0; padding: 0; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; }
      .legend svg { width: .9em; height: .9em; }
      @media (max-width: 50rem) { svg text { font-size: 17px; } table { font-size: 13px; } body { margin: 1rem auto; } td, th { padding: .2rem .4rem; } }
      @media print { body { max-width: none; } svg { break-inside: avoid; } }
      </style>
      </head>
      <body>
      """;

  private ReplayHtmlReport() {}

  /** The begin of a page, up to its body. */
  public static String begin(String title) {
    return HEAD.replace("<title>%s</title>", "<title>" + SvgPlot.escaped(title) + "</title>");
  }

  /** The names of curves with their colours. */
  public static String legend(List<String> names) {
    StringBuilder text = new StringBuilder("<ul class=\"legend\">");
    for (int i = 0; i < names.size(); i++) {
      text.append("<li><svg viewBox=\"0 0 9 9\"><rect class=\"c").append(i % COLOURS);
      text.append("\" width=\"9\" height=\"9\"/></svg> ").append(SvgPlot.escaped(names.get(i)));
      text.append("</li>");
    }
    return text.append("</ul>\n").toString();
  }

  /**
   * A replay to be plotted.
   *
   * @param report its numbers
   * @param schedule its jobs
   */
  public record Replayed(ReplayReport report, ReplayResult schedule) {
    String name() {
      TraceWindow window = report.window();
      return report.policy().text() + (window == null ? "" : " " + window.text());
    }
  }

  /** The page. */
  public static String text(
      List<ReplayReport> runs, List<Replayed> replayed, List<SkippedRecords> skipped) {
    StringBuilder page = new StringBuilder(begin("Dure: replays"));
    page.append("<h1>").append(SvgPlot.escaped(runs.getFirst().trace())).append("</h1>\n");
    page.append("<p class=\"soft\">").append(runs.size());
    page.append(runs.size() == 1 ? " replay" : " replays");
    if (!replayed.isEmpty()) {
      page.append(" on ").append(replayed.getFirst().schedule().cpus()).append(" CPUs");
    }
    page.append("</p>\n");
    table(page, runs);
    for (ReplayReport run : runs) {
      for (String remark : ReplayTableReport.remarks(run)) {
        page.append("<p>").append(SvgPlot.escaped(run.policy().text() + ": " + remark));
        page.append(".</p>\n");
      }
    }
    skipped(page, skipped);
    List<Replayed> plotted = replayed.subList(0, Math.min(MOST_PLOTTED, replayed.size()));
    if (plotted.size() < replayed.size()) {
      page.append("<p>The plots show the first ").append(MOST_PLOTTED).append(" of ");
      page.append(replayed.size()).append(" replays.</p>\n");
    }
    plots(page, plotted);
    return page.append("</body>\n</html>\n").toString();
  }

  private static void table(StringBuilder page, List<ReplayReport> runs) {
    page.append(
        """
        <div class="wide"><table>
        <thead><tr><th rowspan="2">policy</th><th rowspan="2">jobs</th>
        <th colspan="3">bounded slowdown</th><th colspan="3">wait, hours</th>
        <th rowspan="2">in use, %</th><th rowspan="2">preempted</th><th rowspan="2">not run</th></tr>
        <tr><th>mean</th><th>p99</th><th>max</th><th>mean</th><th>p99</th><th>max</th></tr></thead>
        """);
    for (ReplayReport run : runs) {
      for (ReplayReport window : run.windows()) {
        row(page, window);
      }
      row(page, run);
    }
    page.append("</table></div>\n");
  }

  private static void row(StringBuilder page, ReplayReport run) {
    TraceWindow window = run.window();
    String name = window == null ? "" : " " + window.text();
    name = run.windows().isEmpty() ? name : ", mean of " + run.windows().size() + " windows";
    page.append("<tr><td>").append(SvgPlot.escaped(run.policy().text() + name)).append("</td>");
    cell(page, Integer.toString(run.counts().jobs()));
    cell(page, ReplayTableReport.number(run.boundedSlowdown().mean(), 2));
    cell(page, ReplayTableReport.number(run.boundedSlowdown().p99(), 0));
    cell(page, ReplayTableReport.number(run.boundedSlowdown().max(), 0));
    cell(page, hours(run.waitSeconds().mean()));
    cell(page, hours(run.waitSeconds().p99()));
    cell(page, hours(run.waitSeconds().max()));
    cell(page, ReplayTableReport.number(100 * run.utilization(), 1));
    cell(page, Integer.toString(run.interruptions().jobs()));
    cell(page, Integer.toString(run.counts().notRun()));
    page.append("</tr>\n");
  }

  private static String hours(double seconds) {
    return ReplayTableReport.number(seconds / 3600, 2);
  }

  private static void cell(StringBuilder page, String text) {
    page.append("<td>").append(text).append("</td>");
  }

  private static void skipped(StringBuilder page, List<SkippedRecords> skipped) {
    for (SkippedRecords skip : skipped) {
      page.append("<p>In the trace: ").append(skip.count()).append(" &times; ");
      page.append(SvgPlot.escaped(skip.cause()));
      page.append(skip.firstLine() == 0 ? "" : ", first in line " + skip.firstLine());
      page.append(".</p>\n");
    }
  }

  private static void plots(StringBuilder page, List<Replayed> replayed) {
    List<String> names = new ArrayList<>();
    List<List<JobInterval>> spans = new ArrayList<>();
    List<Double> lengths = new ArrayList<>();
    List<PlotCurve> use = new ArrayList<>();
    List<PlotCurve> queue = new ArrayList<>();
    List<PlotCurve> fairness = new ArrayList<>();
    for (Replayed one : replayed) {
      List<JobInterval> ran = ReplayReport.spans(one.schedule());
      ReplayTimeline time = new ReplayTimeline(ran);
      names.add(one.name());
      spans.add(ran);
      lengths.add(time.days());
      use.add(PlotCurve.of(one.name(), percent(time.utilization(PARTS, one.schedule().cpus()))));
      queue.add(PlotCurve.of(one.name(), time.queueLength(PARTS)));
      fairness.add(PlotCurve.of(one.name(), time.fairness(FAIRNESS_PARTS)));
    }
    double days = lengths.stream().mapToDouble(length -> length).max().orElse(1);
    WaitBreakdown sizes = WaitBreakdown.bySize(names, spans);
    WaitBreakdown users = WaitBreakdown.byUser(names, spans, USERS);
    Page out = new Page(page, names);
    out.plot(
        new SvgPlot.PlotLabels("Utilization", "%", ""),
        "CPUs in use, of all.",
        words -> SvgPlot.lines(words, use, days, lengths));
    out.plot(
        new SvgPlot.PlotLabels("Queue", "jobs", ""),
        "Jobs that waited, of those that ran.",
        words -> SvgPlot.lines(words, queue, days, lengths));
    out.plot(
        new SvgPlot.PlotLabels("Mean wait by size", "hours", "CPUs of the job"),
        "",
        words -> SvgPlot.bars(words, sizes.categories(), sizes.hours()));
    out.plot(
        new SvgPlot.PlotLabels("Mean wait by user", "hours", "user"),
        "The " + users.categories().size() + " users with most CPU time, most first.",
        words -> SvgPlot.bars(words, users.categories(), users.hours()));
    out.plot(
        new SvgPlot.PlotLabels("Fairness over time", "index", ""),
        "Jain's index of the users' mean bounded slowdowns, by when their jobs came:"
            + " 1 if all fare alike, towards 1/n the worse one of n fares than the others.",
        words -> SvgPlot.lines(words, fairness, days, lengths));
  }

  private static double[] percent(double[] parts) {
    for (int i = 0; i < parts.length; i++) {
      parts[i] *= 100;
    }
    return parts;
  }

  /** The page with the names of what is plotted. */
  private record Page(StringBuilder text, List<String> names) {
    void plot(
        SvgPlot.PlotLabels words, String remark, Function<SvgPlot.PlotLabels, String> drawing) {
      text.append("<h2>").append(SvgPlot.escaped(words.title())).append("</h2>\n");
      if (!remark.isEmpty()) {
        text.append("<p class=\"soft\">").append(SvgPlot.escaped(remark)).append("</p>\n");
      }
      text.append(legend(names)).append(drawing.apply(words));
    }
  }
}
