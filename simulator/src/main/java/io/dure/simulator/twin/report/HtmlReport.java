package io.dure.simulator.twin.report;

import io.dure.simulator.twin.Schedule;
import io.dure.simulator.twin.trace.Skip;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** One page that needs nothing beside it: no script, no font, no picture from elsewhere. */
public final class HtmlReport {
  private static final int PARTS = 240;
  private static final int FAIRNESS_PARTS = 24;
  private static final int USERS = 12;
  private static final int MOST_PLOTTED = 8;

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Dure: replays</title>
      <style>
      :root { color-scheme: light dark; --grid: #8884; }
      body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
      td, th { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid var(--grid); }
      td:first-child, th:first-child { text-align: left; }
      .wide { overflow-x: auto; }
      svg { width: 100%; height: auto; }
      svg text { font-size: 12px; fill: currentColor; }
      .grid { stroke: var(--grid); }
      .line { fill: none; stroke-width: 1.5; stroke-linejoin: round; }
      .c0 { fill: #0072b2; } .line.c0 { fill: none; stroke: #0072b2; }
      .c1 { fill: #d55e00; } .line.c1 { fill: none; stroke: #d55e00; }
      .c2 { fill: #009e73; } .line.c2 { fill: none; stroke: #009e73; }
      .c3 { fill: #cc79a7; } .line.c3 { fill: none; stroke: #cc79a7; }
      .c4 { fill: #e69f00; } .line.c4 { fill: none; stroke: #e69f00; }
      .c5 { fill: #56b4e9; } .line.c5 { fill: none; stroke: #56b4e9; }
      .c6 { fill: #8a7f00; } .line.c6 { fill: none; stroke: #8a7f00; }
      .c7 { fill: #777777; } .line.c7 { fill: none; stroke: #777777; }
      .legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; }
      .legend svg { width: .9em; height: .9em; }
      </style>
      </head>
      <body>
      """;

  private HtmlReport() {}

  /**
   * A replay to be plotted.
   *
   * @param report its numbers
   * @param schedule its jobs
   */
  public record Replayed(RunReport report, Schedule schedule) {
    String name() {
      Window window = report.window();
      return report.policy().text() + (window == null ? "" : " " + window.text());
    }
  }

  /** The page. */
  public static String text(List<RunReport> runs, List<Replayed> replayed, List<Skip> skipped) {
    StringBuilder page = new StringBuilder(HEAD);
    page.append("<h1>").append(Svg.escaped(runs.getFirst().trace())).append("</h1>\n");
    table(page, runs);
    skipped(page, skipped);
    List<Replayed> plotted = replayed.subList(0, Math.min(MOST_PLOTTED, replayed.size()));
    if (plotted.size() < replayed.size()) {
      page.append("<p>The plots show the first ").append(MOST_PLOTTED).append(" of ");
      page.append(replayed.size()).append(" replays.</p>\n");
    }
    plots(page, plotted);
    return page.append("</body>\n</html>\n").toString();
  }

  private static void table(StringBuilder page, List<RunReport> runs) {
    page.append("<div class=\"wide\"><table>\n<tr><th>policy</th><th>jobs</th>");
    page.append("<th>bounded slowdown</th><th>p99</th><th>max</th><th>wait, mean</th>");
    page.append("<th>p99</th><th>max</th><th>in use</th><th>not run</th></tr>\n");
    for (RunReport run : runs) {
      for (RunReport window : run.windows()) {
        row(page, window);
      }
      row(page, run);
    }
    page.append("</table></div>\n");
  }

  private static void row(StringBuilder page, RunReport run) {
    Window window = run.window();
    String name = window == null ? "" : " " + window.text();
    name = run.windows().isEmpty() ? name : ", mean of " + run.windows().size() + " windows";
    page.append("<tr><td>").append(Svg.escaped(run.policy().text() + name)).append("</td>");
    cell(page, Integer.toString(run.counts().jobs()));
    cell(page, TableReport.number(run.boundedSlowdown().mean(), 2));
    cell(page, TableReport.number(run.boundedSlowdown().p99(), 0));
    cell(page, TableReport.number(run.boundedSlowdown().max(), 0));
    cell(page, hours(run.waitSeconds().mean()));
    cell(page, hours(run.waitSeconds().p99()));
    cell(page, hours(run.waitSeconds().max()));
    cell(page, TableReport.number(100 * run.utilization(), 1) + " %");
    cell(page, Integer.toString(run.counts().notRun()));
    page.append("</tr>\n");
  }

  private static String hours(double seconds) {
    return TableReport.number(seconds / 3600, 2) + " h";
  }

  private static void cell(StringBuilder page, String text) {
    page.append("<td>").append(text).append("</td>");
  }

  private static void skipped(StringBuilder page, List<Skip> skipped) {
    for (Skip skip : skipped) {
      page.append("<p>In the trace: ").append(skip.count()).append(" &times; ");
      page.append(Svg.escaped(skip.cause()));
      page.append(skip.firstLine() == 0 ? "" : ", first in line " + skip.firstLine());
      page.append(".</p>\n");
    }
  }

  private static void plots(StringBuilder page, List<Replayed> replayed) {
    List<String> names = new ArrayList<>();
    List<List<JobSpan>> spans = new ArrayList<>();
    List<Double> lengths = new ArrayList<>();
    List<Curve> use = new ArrayList<>();
    List<Curve> queue = new ArrayList<>();
    List<Curve> fairness = new ArrayList<>();
    for (Replayed one : replayed) {
      List<JobSpan> ran = RunReport.spans(one.schedule());
      Timeline time = new Timeline(ran);
      names.add(one.name());
      spans.add(ran);
      lengths.add(time.days());
      use.add(Curve.of(one.name(), percent(time.utilization(PARTS, one.schedule().cpus()))));
      queue.add(Curve.of(one.name(), time.queueLength(PARTS)));
      fairness.add(Curve.of(one.name(), time.fairness(FAIRNESS_PARTS)));
    }
    double days = lengths.stream().mapToDouble(length -> length).max().orElse(1);
    plot(page, "Utilization, %", names, title -> Svg.lines(title, use, days, lengths));
    plot(page, "Jobs waiting", names, title -> Svg.lines(title, queue, days, lengths));
    Breakdown sizes = Breakdown.bySize(names, spans);
    plot(
        page,
        "Mean wait by CPUs, hours",
        names,
        title -> Svg.bars(title, sizes.categories(), sizes.hours()));
    Breakdown users = Breakdown.byUser(names, spans, USERS);
    plot(
        page,
        "Mean wait of the users with most CPU time, hours",
        names,
        title -> Svg.bars(title, users.categories(), users.hours()));
    plot(
        page,
        "Fairness over time (Jain's index of the users' mean bounded slowdowns; 1 is alike)",
        names,
        title -> Svg.lines(title, fairness, days, lengths));
  }

  private static double[] percent(double[] parts) {
    for (int i = 0; i < parts.length; i++) {
      parts[i] *= 100;
    }
    return parts;
  }

  private static void plot(
      StringBuilder page, String title, List<String> names, UnaryOperator<String> drawing) {
    page.append("<h2>").append(Svg.escaped(title)).append("</h2>\n<ul class=\"legend\">");
    for (int i = 0; i < names.size(); i++) {
      page.append("<li><svg viewBox=\"0 0 9 9\"><rect class=\"c").append(i);
      page.append("\" width=\"9\" height=\"9\"/></svg> ").append(Svg.escaped(names.get(i)));
      page.append("</li>");
    }
    page.append("</ul>\n").append(drawing.apply(title));
  }
}
