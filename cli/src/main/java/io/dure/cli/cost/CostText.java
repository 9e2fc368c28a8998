package io.dure.cli.cost;

import io.dure.surface.json.JsonEnvelope;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.SlurmJsonWriter;
import io.dure.surface.language.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What jobs cost as a table, as comma separated values and as a document. */
final class CostText {
  private CostText() {}

  /** As a table with the budgets and the check below. */
  static String table(CostReport report, CostBook.By by) {
    boolean detailed = by != CostBook.By.ACCOUNT;
    StringBuilder text = new StringBuilder();
    List<List<String>> rows = new ArrayList<>();
    List<String> header = new ArrayList<>(List.of("account"));
    if (detailed) {
      header.add(by.name().toLowerCase(Locale.ROOT));
    }
    header.addAll(List.of("month", "attempts", "CPU-hours", "GiB-hours", "GPU-hours"));
    header.add(report.currency().isEmpty() ? "cost" : "cost " + report.currency());
    rows.add(header);
    for (CostReport.Line line : report.lines()) {
      List<String> row = new ArrayList<>(List.of(line.account().isEmpty() ? "-" : line.account()));
      if (detailed) {
        row.add(line.detail());
      }
      row.addAll(List.of(line.month(), Integer.toString(line.attempts())));
      row.addAll(List.of(number(line.cpuHours()), number(line.gibHours())));
      row.addAll(List.of(number(line.gpuHours()), line.cost().toPlainString()));
      rows.add(row);
    }
    List<String> total = new ArrayList<>(List.of("all"));
    for (int i = total.size(); i < header.size() - 1; i++) {
      total.add("");
    }
    total.add(report.total().toPlainString());
    rows.add(total);
    TextTable.lines(rows).forEach(line -> text.append(line).append('\n'));
    for (BudgetState one : report.budgets()) {
      text.append(budget(one, report.currency())).append('\n');
    }
    if (!report.all()) {
      text.append("Counted are the jobs that you may see.\n");
    }
    report.checks().forEach(check -> text.append(check(check)).append('\n'));
    return text.toString();
  }

  /** A budget in a line. */
  static String budget(BudgetState one, String currency) {
    String unit = currency.isEmpty() ? "" : " " + currency;
    return "Budget of "
        + one.budget().account()
        + " in "
        + one.month()
        + ": "
        + CostBook.rounded(one.spent()).toPlainString()
        + " of "
        + CostBook.rounded(one.budget().amount()).toPlainString()
        + unit
        + " spent ("
        + one.percent()
        + ")"
        + (one.isSpent() ? ", nothing is left" : "");
  }

  /** A check in a line. */
  static String check(CostReport.Check check) {
    return (check.holds() ? "Agrees with" : "DIFFERS from")
        + " the sums of the books: "
        + check.tres()
        + " "
        + check.jobs()
        + " of jobs, "
        + check.books()
        + " of sums (by seconds"
        + (check.slack() == 0 ? ")" : ", may differ by " + check.slack() + ")");
  }

  /** As comma separated values; words that need it stand in quotes. */
  static String csv(CostReport report, CostBook.By by) {
    StringBuilder text = new StringBuilder();
    text.append("account,").append(by.name().toLowerCase(Locale.ROOT));
    text.append(",month,attempts,cpu_hours,gib_hours,gpu_hours,cost,currency\n");
    for (CostReport.Line line : report.lines()) {
      String detail = by == CostBook.By.ACCOUNT ? line.account() : line.detail();
      text.append(quoted(line.account())).append(',').append(quoted(detail)).append(',');
      text.append(line.month()).append(',').append(line.attempts()).append(',');
      text.append(exact(line.cpuHours())).append(',').append(exact(line.gibHours())).append(',');
      text.append(exact(line.gpuHours())).append(',').append(line.cost().toPlainString());
      text.append(',').append(quoted(report.currency())).append('\n');
    }
    return text.toString();
  }

  /** A word that a table calculator would take for a formula gets an apostrophe before it. */
  private static String quoted(String word) {
    boolean formula = !word.isEmpty() && "=+-@".indexOf(word.charAt(0)) >= 0;
    String plain = formula ? "'" + word : word;
    boolean quotes =
        plain.chars().anyMatch(letter -> letter == ',' || letter == '"' || letter < ' ');
    return quotes ? '"' + plain.replace("\"", "\"\"") + '"' : plain;
  }

  /** As a document. */
  static void json(JsonTarget target, CostReport report) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target)) {
      json.object().text("currency", report.currency()).list("costs");
      for (CostReport.Line line : report.lines()) {
        json.object()
            .text("account", line.account())
            .text("detail", line.detail())
            .text("month", line.month())
            .number("attempts", line.attempts())
            .fraction("cpu_hours", line.cpuHours())
            .fraction("gib_hours", line.gibHours())
            .fraction("gpu_hours", line.gpuHours())
            .text("cost", line.cost().toPlainString())
            .endObject();
      }
      json.endList().text("total", report.total().toPlainString());
      json.flag("sees_all_jobs", report.all()).list("budgets");
      for (BudgetState one : report.budgets()) {
        json.object()
            .text("account", one.budget().account())
            .text("month", one.month().toString())
            .text("amount", CostBook.rounded(one.budget().amount()).toPlainString())
            .text("spent", CostBook.rounded(one.spent()).toPlainString())
            .number("warning_percent", one.warning())
            .flag("is_spent", one.isSpent())
            .endObject();
      }
      json.endList().list("checks");
      for (CostReport.Check one : report.checks()) {
        json.object()
            .text("tres", one.tres())
            .number("jobs", one.jobs())
            .number("books", one.books())
            .number("slack", one.slack())
            .flag("holds", one.holds())
            .endObject();
      }
      json.endList();
      JsonEnvelope.end(json, report.clusterName());
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String exact(double value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }
}
