package io.dure.whatif;

import io.dure.twin.report.PlotCurve;
import io.dure.twin.report.ReplayHtmlReport;
import io.dure.twin.report.SvgPlot;
import io.dure.twin.trace.SkippedRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The answer as one page that needs nothing beside it: no script, no font, no picture. */
final class WhatIfHtmlReport {
  private static final int PARTS = 96;
  private static final int MOST = 12;
  private static final int MOST_PLOTTED = 8;
  private static final double SECONDS_A_DAY = 86_400;
  private static final double SECONDS_AN_HOUR = 3600;

  private final WhatIfComparison comparison;
  private final StringBuilder page;
  private final List<ScenarioResult> plotted;
  private final List<String> names;

  private WhatIfHtmlReport(WhatIfComparison comparison) {
    this.comparison = comparison;
    page = new StringBuilder(ReplayHtmlReport.begin("Dure: what if"));
    List<ScenarioResult> all = comparison.outcomes();
    plotted = all.subList(0, Math.min(MOST_PLOTTED, all.size()));
    names = new ArrayList<>();
    for (int i = 0; i < plotted.size(); i++) {
      String title = plotted.get(i).title();
      String head = comparison.head(i);
      names.add(head.equals(title) ? title : head + " " + title);
    }
  }

  static String text(WhatIfComparison comparison) {
    return new WhatIfHtmlReport(comparison).text();
  }

  private String text() {
    page.append("<h1>What if</h1>\n");
    for (String line : WhatIfSummaryText.heading(comparison)) {
      page.append("<p class=\"soft\">").append(SvgPlot.escaped(line)).append("</p>\n");
    }
    for (int i = 1; i < comparison.outcomes().size(); i++) {
      answer(i);
    }
    totals();
    plots();
    people("Accounts", "account", WhatIfJobResult.JobOwnerFacts::account);
    people("Users", "user", WhatIfJobResult.JobOwnerFacts::user);
    sizes("CPUs of the job", who -> (long) who.cpus());
    sizes("GPUs of the job", WhatIfJobResult.JobOwnerFacts::gpus);
    for (SkippedRecords skip : comparison.left()) {
      page.append("<p class=\"soft\">Left out: ").append(skip.count()).append(" &times; ");
      page.append(SvgPlot.escaped(skip.cause())).append(".</p>\n");
    }
    return page.append("</body>\n</html>\n").toString();
  }

  private void answer(int outcome) {
    List<String> lines = WhatIfSummaryText.of(comparison, outcome);
    page.append("<h2>").append(SvgPlot.escaped(lines.getFirst())).append("</h2>\n");
    for (String line : lines.subList(1, lines.size())) {
      page.append("<p>").append(SvgPlot.escaped(line.strip())).append("</p>\n");
    }
  }

  private void totals() {
    page.append("<h2>All jobs that waited or came</h2>\n<div class=\"wide\"><table>\n<thead><tr>");
    head("");
    for (int i = 0; i < comparison.outcomes().size(); i++) {
      head(comparison.head(i));
    }
    page.append("</tr></thead>\n");
    WhatIfComparison.Group total = comparison.total();
    row("jobs", total, f -> Integer.toString(f.jobs()));
    row("started", total, f -> Integer.toString(f.started()));
    row("mean wait", total, f -> WhatIfSummaryText.time(f.mean()));
    row("median wait", total, f -> WhatIfSummaryText.time(f.median()));
    row("90 of 100 wait at most", total, f -> WhatIfSummaryText.time(f.p90()));
    row("longest wait", total, f -> WhatIfSummaryText.time(f.longest()));
    row("mean bounded slowdown", total, f -> WhatIfTableReport.number(f.slowdown(), 2));
    outcomes("CPUs in use", one -> WhatIfTableReport.percent(one.cpusInUse()));
    if (comparison.base().size().gpus() > 0) {
      outcomes("GPUs in use", one -> WhatIfTableReport.percent(one.gpusInUse()));
    }
    outcomes("CPUs on nodes that take jobs", one -> Integer.toString(one.size().openCpus()));
    outcomes("jobs preempted", one -> Integer.toString(one.interruptions().jobs()));
    outcomes(
        "CPU hours lost to preemption", one -> hours(one.interruptions().madeRoom().cpuSeconds()));
    if (comparison.base().size().gpus() > 0) {
      outcomes(
          "GPU hours lost to preemption",
          one -> hours(one.interruptions().madeRoom().gpuSeconds()));
    }
    outcomes("CPU hours lost with a node", one -> hours(one.interruptions().struck().cpuSeconds()));
    page.append("</table></div>\n");
  }

  private static String hours(long seconds) {
    return WhatIfTableReport.number(seconds / SECONDS_AN_HOUR, 1);
  }

  private void head(String text) {
    page.append("<th>").append(SvgPlot.escaped(text)).append("</th>");
  }

  private void cell(String text) {
    page.append("<td>").append(SvgPlot.escaped(text)).append("</td>");
  }

  private void row(
      String name, WhatIfComparison.Group group, Function<WaitStatistics, String> figure) {
    page.append("<tr>");
    cell(name);
    group.figures().forEach(one -> cell(figure.apply(one)));
    page.append("</tr>\n");
  }

  private void outcomes(String name, Function<ScenarioResult, String> figure) {
    page.append("<tr>");
    cell(name);
    comparison.outcomes().forEach(one -> cell(figure.apply(one)));
    page.append("</tr>\n");
  }

  private void plots() {
    double days = comparison.base().window().seconds() / SECONDS_A_DAY;
    List<Double> lengths = plotted.stream().map(_ -> days).toList();
    List<PlotCurve> cpus = new ArrayList<>();
    List<PlotCurve> gpus = new ArrayList<>();
    List<PlotCurve> queue = new ArrayList<>();
    for (ScenarioResult one : plotted) {
      OutcomeTimeline course = new OutcomeTimeline(one, PARTS);
      cpus.add(PlotCurve.of(one.title(), course.cpus()));
      gpus.add(PlotCurve.of(one.title(), course.gpus()));
      queue.add(PlotCurve.of(one.title(), course.waiting()));
    }
    plot("CPUs in use", "%", words -> SvgPlot.lines(words, cpus, days, lengths));
    if (comparison.base().size().gpus() > 0) {
      plot("GPUs in use", "%", words -> SvgPlot.lines(words, gpus, days, lengths));
    }
    plot("Jobs that wait", "jobs", words -> SvgPlot.lines(words, queue, days, lengths));
  }

  private void plot(String title, String unit, Function<SvgPlot.PlotLabels, String> drawing) {
    page.append("<h2>").append(SvgPlot.escaped(title)).append("</h2>\n");
    page.append(ReplayHtmlReport.legend(names));
    page.append(drawing.apply(new SvgPlot.PlotLabels(title, unit, "the begin")));
  }

  private void people(
      String title, String kind, Function<WhatIfJobResult.JobOwnerFacts, String> by) {
    List<WhatIfComparison.Group> groups = comparison.people(by);
    if (groups.size() > 1) {
      List<WhatIfComparison.Group> some = groups.subList(0, Math.min(MOST, groups.size()));
      String more =
          some.size() == groups.size()
              ? ""
              : "The " + some.size() + " for whom most is different, of " + groups.size() + ".";
      groups(title, kind, more, some);
    }
  }

  private void sizes(String title, Function<WhatIfJobResult.JobOwnerFacts, Long> by) {
    List<WhatIfComparison.Group> groups = comparison.sizes(by);
    if (groups.size() > 1) {
      groups(title, title, "", groups);
    }
  }

  private void groups(
      String title, String below, String remark, List<WhatIfComparison.Group> groups) {
    page.append("<h2>Mean wait: ").append(SvgPlot.escaped(title)).append("</h2>\n");
    if (!remark.isEmpty()) {
      page.append("<p class=\"soft\">").append(SvgPlot.escaped(remark)).append("</p>\n");
    }
    page.append(ReplayHtmlReport.legend(names));
    List<String> categories = groups.stream().map(WhatIfHtmlReport::named).toList();
    List<PlotCurve> curves = new ArrayList<>();
    for (int i = 0; i < plotted.size(); i++) {
      int outcome = i;
      double[] hours =
          groups.stream()
              .mapToDouble(group -> group.figures().get(outcome).mean() / SECONDS_AN_HOUR)
              .toArray();
      curves.add(PlotCurve.of(names.get(i), hours));
    }
    page.append(SvgPlot.bars(new SvgPlot.PlotLabels(title, "hours", below), categories, curves));
    page.append("<div class=\"wide\"><table>\n<thead><tr>");
    head(below);
    head("jobs");
    for (int i = 0; i < comparison.outcomes().size(); i++) {
      head(comparison.head(i));
      if (i > 0) {
        head("longer");
      }
    }
    page.append("</tr></thead>\n");
    for (WhatIfComparison.Group group : groups) {
      page.append("<tr>");
      cell(named(group));
      cell(Integer.toString(group.figures().getFirst().jobs()));
      for (int i = 0; i < group.figures().size(); i++) {
        cell(WhatIfSummaryText.time(group.figures().get(i).mean()));
        if (i > 0) {
          cell(WhatIfSummaryText.signed(group.longer(i)));
        }
      }
      page.append("</tr>\n");
    }
    page.append("</table></div>\n");
  }

  private static String named(WhatIfComparison.Group group) {
    return group.name().isEmpty() ? "-" : group.name();
  }
}
