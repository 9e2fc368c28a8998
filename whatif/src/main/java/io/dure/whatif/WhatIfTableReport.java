package io.dure.whatif;

import io.dure.twin.result.ReplayResult;
import io.dure.twin.trace.SkippedRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The answer as tables for people. */
final class WhatIfTableReport {
  private static final int MOST = 12;
  private static final int LONGEST_TITLE = 36;
  private static final double SECONDS_AN_HOUR = 3600;

  private final WhatIfComparison comparison;
  private final boolean all;
  private final StringBuilder text = new StringBuilder();

  private WhatIfTableReport(WhatIfComparison comparison, boolean all) {
    this.comparison = comparison;
    this.all = all;
  }

  /** What would be different, first in sentences, then in figures. */
  static String text(WhatIfComparison comparison, boolean all) {
    return new WhatIfTableReport(comparison, all).text();
  }

  private String text() {
    lines(WhatIfSummaryText.heading(comparison));
    text.append('\n');
    for (int i = 1; i < comparison.outcomes().size(); i++) {
      lines(WhatIfSummaryText.of(comparison, i));
    }
    text.append('\n');
    totals();
    people("ACCOUNT", "account", WhatIfJobResult.JobOwnerFacts::account);
    people("USER", "user", WhatIfJobResult.JobOwnerFacts::user);
    sizes("CPUS", who -> (long) who.cpus());
    sizes("GPUS", WhatIfJobResult.JobOwnerFacts::gpus);
    sizes("NODES", who -> (long) who.nodes());
    for (SkippedRecords skip : comparison.left()) {
      text.append("left out: ").append(skip.count()).append(" x ").append(skip.cause());
      text.append(skip.firstLine() == 0 ? "" : " (first in line " + skip.firstLine() + ")");
      text.append('\n');
    }
    return text.toString();
  }

  private void lines(List<String> lines) {
    lines.forEach(line -> text.append(line).append('\n'));
  }

  private void totals() {
    Rows rows = new Rows();
    List<String> heads = new ArrayList<>(List.of(""));
    for (int i = 0; i < comparison.outcomes().size(); i++) {
      heads.add(shortened(comparison.head(i)));
    }
    rows.add(heads);
    WhatIfComparison.Group total = comparison.total();
    row(rows, "jobs", total, f -> Integer.toString(f.jobs()));
    row(rows, "started", total, f -> Integer.toString(f.started()));
    row(rows, "wait, mean", total, f -> WhatIfSummaryText.time(f.mean()));
    row(rows, "wait, median", total, f -> WhatIfSummaryText.time(f.median()));
    row(rows, "wait, 90 of 100 at most", total, f -> WhatIfSummaryText.time(f.p90()));
    row(rows, "wait, longest", total, f -> WhatIfSummaryText.time(f.longest()));
    row(rows, "bounded slowdown, mean", total, f -> number(f.slowdown(), 2));
    outcomes(rows, "CPUs in use", o -> percent(o.cpusInUse()));
    if (comparison.base().size().gpus() > 0) {
      outcomes(rows, "GPUs in use", o -> percent(o.gpusInUse()));
    }
    differing(rows, "CPUs on nodes that take jobs", o -> o.size().openCpus());
    differing(rows, "GPUs on nodes that take jobs", o -> (double) o.size().openGpus());
    differing(rows, "jobs preempted", o -> o.interruptions().jobs());
    differing(rows, "runs requeued or ended for that", o -> requeued(o.interruptions()));
    differing(
        rows,
        "CPU hours lost to preemption",
        o -> hours(o.interruptions().madeRoom().cpuSeconds()));
    differing(
        rows,
        "GPU hours lost to preemption",
        o -> hours(o.interruptions().madeRoom().gpuSeconds()));
    differing(rows, "runs lost with a node", o -> o.interruptions().lost());
    differing(
        rows, "CPU hours lost with a node", o -> hours(o.interruptions().struck().cpuSeconds()));
    differing(
        rows, "GPU hours lost with a node", o -> hours(o.interruptions().struck().gpuSeconds()));
    rows.print(text, 1);
    text.append('\n');
  }

  private static double hours(long seconds) {
    return seconds / SECONDS_AN_HOUR;
  }

  private static int requeued(ReplayResult.Interruptions all) {
    return all.requeued() + all.cancelled();
  }

  private void row(
      Rows rows,
      String name,
      WhatIfComparison.Group group,
      Function<WaitStatistics, String> figure) {
    List<String> row = new ArrayList<>(List.of(name));
    group.figures().forEach(one -> row.add(figure.apply(one)));
    rows.add(row);
  }

  private void outcomes(Rows rows, String name, Function<ScenarioResult, String> figure) {
    List<String> row = new ArrayList<>(List.of(name));
    comparison.outcomes().forEach(one -> row.add(figure.apply(one)));
    rows.add(row);
  }

  /** A row that is worth a line only where something is different. */
  private void differing(Rows rows, String name, ToDoubleFunction<ScenarioResult> figure) {
    long values = comparison.outcomes().stream().mapToDouble(figure).distinct().count();
    if (values > 1) {
      int digits = name.contains(" hours ") ? 1 : 0;
      outcomes(rows, name, one -> number(figure.applyAsDouble(one), digits));
    }
  }

  private void people(
      String head, String kind, Function<WhatIfJobResult.JobOwnerFacts, String> by) {
    List<WhatIfComparison.Group> groups = comparison.people(by);
    if (groups.size() < 2) {
      return;
    }
    int shown = all ? groups.size() : Math.min(MOST, groups.size());
    groups(head, groups.subList(0, shown));
    if (shown < groups.size()) {
      text.setLength(text.length() - 1);
      text.append("and ").append(groups.size() - shown).append(" more ").append(kind);
      text.append("s, for whom less is different (--all)\n\n");
    }
  }

  private void sizes(String head, Function<WhatIfJobResult.JobOwnerFacts, Long> by) {
    List<WhatIfComparison.Group> groups = comparison.sizes(by);
    if (groups.size() > 1) {
      groups(head, groups);
    }
  }

  /** Mean waits and slowdowns, and by how much the waits are others. */
  private void groups(String head, List<WhatIfComparison.Group> groups) {
    Rows rows = new Rows();
    List<String> heads = new ArrayList<>(List.of(head, "JOBS"));
    for (int i = 0; i < comparison.outcomes().size(); i++) {
      heads.add(i == 0 ? "MEAN_WAIT" : shortened(comparison.head(i)));
      heads.add("SLOWDOWN");
      if (i > 0) {
        heads.add("LONGER");
      }
    }
    rows.add(heads);
    for (WhatIfComparison.Group group : groups) {
      List<String> row = new ArrayList<>();
      row.add(group.name().isEmpty() ? "-" : group.name());
      row.add(Integer.toString(group.figures().getFirst().jobs()));
      for (int i = 0; i < group.figures().size(); i++) {
        row.add(WhatIfSummaryText.time(group.figures().get(i).mean()));
        row.add(number(group.figures().get(i).slowdown(), 2));
        if (i > 0) {
          row.add(WhatIfSummaryText.signed(group.longer(i)));
        }
      }
      rows.add(row);
    }
    rows.print(text, 1);
    text.append('\n');
  }

  private static String shortened(String title) {
    return title.length() <= LONGEST_TITLE ? title : title.substring(0, LONGEST_TITLE - 3) + "...";
  }

  static String percent(double part) {
    return number(100 * part, 1) + "%";
  }

  static String number(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** Rows of equal length, of which the first columns hold words. */
  private static final class Rows {
    private final List<List<String>> rows = new ArrayList<>();

    void add(List<String> row) {
      rows.add(row);
    }

    void print(StringBuilder text, int words) {
      int[] widths = new int[rows.getFirst().size()];
      for (List<String> row : rows) {
        for (int i = 0; i < widths.length; i++) {
          widths[i] = Math.max(widths[i], row.get(i).length());
        }
      }
      for (List<String> row : rows) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
          String blanks = " ".repeat(widths[i] - row.get(i).length());
          line.append(i == 0 ? "" : "  ");
          line.append(i < words ? row.get(i) + blanks : blanks + row.get(i));
        }
        text.append(line.toString().stripTrailing()).append('\n');
      }
    }
  }
}
