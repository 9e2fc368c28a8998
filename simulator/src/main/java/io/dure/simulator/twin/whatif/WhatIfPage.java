package io.dure.simulator.twin.whatif;

import io.dure.simulator.twin.report.Curve;
import io.dure.simulator.twin.report.HtmlReport;
import io.dure.simulator.twin.report.Svg;
import io.dure.simulator.twin.trace.Skip;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The answer as one page that needs nothing beside it: no script, no font, no picture. */
final class WhatIfPage {
  private static final int PARTS = 96;
  private static final int MOST = 12;
  private static final int MOST_PLOTTED = 8;
  private static final double SECONDS_A_DAY = 86_400;
  private static final double SECONDS_AN_HOUR = 3600;

  private final Comparison comparison;
  private final StringBuilder page;
  private final List<Outcome> plotted;
  private final List<String> names;

  private WhatIfPage(Comparison comparison) {
    this.comparison = comparison;
    page = new StringBuilder(HtmlReport.begin("Dure: what if"));
    List<Outcome> all = comparison.outcomes();
    plotted = all.subList(0, Math.min(MOST_PLOTTED, all.size()));
    names = new ArrayList<>();
    for (int i = 0; i < plotted.size(); i++) {
      String title = plotted.get(i).title();
      String head = comparison.head(i);
      names.add(head.equals(title) ? title : head + " " + title);
    }
  }

  static String text(Comparison comparison) {
    return new WhatIfPage(comparison).text();
  }

  private String text() {
    page.append("<h1>What if</h1>\n");
    for (String line : Sentences.heading(comparison)) {
      page.append("<p class=\"soft\">").append(Svg.escaped(line)).append("</p>\n");
    }
    for (int i = 1; i < comparison.outcomes().size(); i++) {
      answer(i);
    }
    totals();
    plots();
    people("Accounts", "account", Fate.Who::account);
    people("Users", "user", Fate.Who::user);
    sizes("CPUs of the job", who -> (long) who.cpus());
    sizes("GPUs of the job", Fate.Who::gpus);
    for (Skip skip : comparison.left()) {
      page.append("<p class=\"soft\">Left out: ").append(skip.count()).append(" &times; ");
      page.append(Svg.escaped(skip.cause())).append(".</p>\n");
    }
    return page.append("</body>\n</html>\n").toString();
  }

  private void answer(int outcome) {
    List<String> lines = Sentences.of(comparison, outcome);
    page.append("<h2>").append(Svg.escaped(lines.getFirst())).append("</h2>\n");
    for (String line : lines.subList(1, lines.size())) {
      page.append("<p>").append(Svg.escaped(line.strip())).append("</p>\n");
    }
  }

  private void totals() {
    page.append("<h2>All jobs that waited or came</h2>\n<div class=\"wide\"><table>\n<thead><tr>");
    head("");
    for (int i = 0; i < comparison.outcomes().size(); i++) {
      head(comparison.head(i));
    }
    page.append("</tr></thead>\n");
    Comparison.Group total = comparison.total();
    row("jobs", total, f -> Integer.toString(f.jobs()));
    row("started", total, f -> Integer.toString(f.started()));
    row("mean wait", total, f -> Sentences.time(f.mean()));
    row("median wait", total, f -> Sentences.time(f.median()));
    row("90 of 100 wait at most", total, f -> Sentences.time(f.p90()));
    row("longest wait", total, f -> Sentences.time(f.longest()));
    row("mean bounded slowdown", total, f -> WhatIfTable.number(f.slowdown(), 2));
    outcomes("CPUs in use", one -> WhatIfTable.percent(one.cpusInUse()));
    if (comparison.base().size().gpus() > 0) {
      outcomes("GPUs in use", one -> WhatIfTable.percent(one.gpusInUse()));
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
    return WhatIfTable.number(seconds / SECONDS_AN_HOUR, 1);
  }

  private void head(String text) {
    page.append("<th>").append(Svg.escaped(text)).append("</th>");
  }

  private void cell(String text) {
    page.append("<td>").append(Svg.escaped(text)).append("</td>");
  }

  private void row(String name, Comparison.Group group, Function<Figures, String> figure) {
    page.append("<tr>");
    cell(name);
    group.figures().forEach(one -> cell(figure.apply(one)));
    page.append("</tr>\n");
  }

  private void outcomes(String name, Function<Outcome, String> figure) {
    page.append("<tr>");
    cell(name);
    comparison.outcomes().forEach(one -> cell(figure.apply(one)));
    page.append("</tr>\n");
  }

  private void plots() {
    double days = comparison.base().window().seconds() / SECONDS_A_DAY;
    List<Double> lengths = plotted.stream().map(_ -> days).toList();
    List<Curve> cpus = new ArrayList<>();
    List<Curve> gpus = new ArrayList<>();
    List<Curve> queue = new ArrayList<>();
    for (Outcome one : plotted) {
      Course course = new Course(one, PARTS);
      cpus.add(Curve.of(one.title(), course.cpus()));
      gpus.add(Curve.of(one.title(), course.gpus()));
      queue.add(Curve.of(one.title(), course.waiting()));
    }
    plot("CPUs in use", "%", words -> Svg.lines(words, cpus, days, lengths));
    if (comparison.base().size().gpus() > 0) {
      plot("GPUs in use", "%", words -> Svg.lines(words, gpus, days, lengths));
    }
    plot("Jobs that wait", "jobs", words -> Svg.lines(words, queue, days, lengths));
  }

  private void plot(String title, String unit, Function<Svg.Words, String> drawing) {
    page.append("<h2>").append(Svg.escaped(title)).append("</h2>\n");
    page.append(HtmlReport.legend(names));
    page.append(drawing.apply(new Svg.Words(title, unit, "the begin")));
  }

  private void people(String title, String kind, Function<Fate.Who, String> by) {
    List<Comparison.Group> groups = comparison.people(by);
    if (groups.size() > 1) {
      List<Comparison.Group> some = groups.subList(0, Math.min(MOST, groups.size()));
      String more =
          some.size() == groups.size()
              ? ""
              : "The " + some.size() + " for whom most is different, of " + groups.size() + ".";
      groups(title, kind, more, some);
    }
  }

  private void sizes(String title, Function<Fate.Who, Long> by) {
    List<Comparison.Group> groups = comparison.sizes(by);
    if (groups.size() > 1) {
      groups(title, title, "", groups);
    }
  }

  private void groups(String title, String below, String remark, List<Comparison.Group> groups) {
    page.append("<h2>Mean wait: ").append(Svg.escaped(title)).append("</h2>\n");
    if (!remark.isEmpty()) {
      page.append("<p class=\"soft\">").append(Svg.escaped(remark)).append("</p>\n");
    }
    page.append(HtmlReport.legend(names));
    List<String> categories = groups.stream().map(WhatIfPage::named).toList();
    List<Curve> curves = new ArrayList<>();
    for (int i = 0; i < plotted.size(); i++) {
      int outcome = i;
      double[] hours =
          groups.stream()
              .mapToDouble(group -> group.figures().get(outcome).mean() / SECONDS_AN_HOUR)
              .toArray();
      curves.add(Curve.of(names.get(i), hours));
    }
    page.append(Svg.bars(new Svg.Words(title, "hours", below), categories, curves));
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
    for (Comparison.Group group : groups) {
      page.append("<tr>");
      cell(named(group));
      cell(Integer.toString(group.figures().getFirst().jobs()));
      for (int i = 0; i < group.figures().size(); i++) {
        cell(Sentences.time(group.figures().get(i).mean()));
        if (i > 0) {
          cell(Sentences.signed(group.longer(i)));
        }
      }
      page.append("</tr>\n");
    }
    page.append("</table></div>\n");
  }

  private static String named(Comparison.Group group) {
    return group.name().isEmpty() ? "-" : group.name();
  }
}
