package io.dure.cli.tenant;

import io.dure.cli.cost.TenantCosts;
import io.dure.surface.json.JsonEnvelope;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.SlurmJsonWriter;
import io.dure.surface.language.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A tenant's report as text, as comma separated values and as a document. */
final class TenantText {
  private static final double PERCENT = 100;

  private TenantText() {}

  /** As text. */
  static String text(TenantReport report) {
    TenantReport.Given own = report.own();
    StringBuilder text = new StringBuilder("Tenant " + own.account());
    text.append(own.description().isEmpty() ? "" : " (" + own.description() + ")");
    text.append(", cluster " + report.clusterName() + ", " + report.month() + "\n");
    fact(text, "accounts", own.accounts());
    fact(text, "coordinators", own.coordinators());
    fact(text, "users", own.users());
    fact(text, "QOS", own.qos());
    fact(text, "default QOS", own.defaultQos() == null ? List.of() : List.of(own.defaultQos()));
    fact(text, "partitions", own.partitions());
    text.append('\n');
    List<List<String>> limits = new ArrayList<>();
    limits.add(List.of("limit", "most", "used"));
    for (TenantReport.Limit one : report.limits()) {
      Long used = one.used();
      limits.add(List.of(one.name(), Long.toString(one.most()), used == null ? "-" : "" + used));
    }
    if (report.limits().isEmpty()) {
      text.append("It has no limits of its own.\n");
    } else {
      add(text, limits);
    }
    text.append('\n');
    add(text, uses(report));
    text.append(money(report));
    text.append(jobs(report));
    if (!report.whole()) {
      text.append("Counted are the jobs, users and shares that you may see.\n");
    }
    return text.toString();
  }

  private static void fact(StringBuilder text, String name, List<String> words) {
    String all = words.isEmpty() ? "-" : String.join(", ", words);
    text.append(String.format(Locale.ROOT, "%-14s%s\n", name, all));
  }

  private static void add(StringBuilder text, List<List<String>> rows) {
    TextTable.lines(rows).forEach(line -> text.append(line).append('\n'));
  }

  private static List<List<String>> uses(TenantReport report) {
    List<List<String>> rows = new ArrayList<>();
    String unit = report.currency().isEmpty() ? "" : " " + report.currency();
    rows.add(
        List.of(
            "account", "user", "attempts", "CPU-hours", "GiB-hours", "GPU-hours", "cost" + unit));
    for (TenantCosts.Row one : report.uses()) {
      rows.add(
          List.of(
              one.account(),
              one.user(),
              Integer.toString(one.attempts()),
              number(one.cpuHours()),
              number(one.gibHours()),
              number(one.gpuHours()),
              one.cost().toPlainString()));
    }
    rows.add(List.of("all", "", "", "", "", "", report.spent().toPlainString()));
    return rows;
  }

  private static String money(TenantReport report) {
    if (report.budget() == null) {
      return "It has no budget.\n";
    }
    String unit = report.currency().isEmpty() ? "" : " " + report.currency();
    return "Budget: "
        + report.spent().toPlainString()
        + " of "
        + report.budget().toPlainString()
        + unit
        + " spent, "
        + String.valueOf(report.left())
        + " left\n";
  }

  private static String jobs(TenantReport report) {
    StringBuilder text = new StringBuilder("Jobs: " + report.running() + " running");
    int all = report.waiting().values().stream().mapToInt(Integer::intValue).sum();
    text.append(", " + all + " waiting");
    List<String> reasons = new ArrayList<>();
    report.waiting().forEach((reason, count) -> reasons.add(reason + " " + count));
    text.append(reasons.isEmpty() ? "\n" : " (" + String.join(", ", reasons) + ")\n");
    text.append("Used of what was held: CPUs " + part(report.efficiency().cpus()));
    text.append(", memory " + part(report.efficiency().memory()));
    text.append(", GPUs " + part(report.efficiency().gpus()) + "\n");
    return text.toString();
  }

  private static String part(@Nullable Double part) {
    return part == null ? "-" : String.format(Locale.ROOT, "%.0f %%", part * PERCENT);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String exact(double value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }

  /** What users used, as comma separated values. Names have no commas and no quotes. */
  static String csv(TenantReport report) {
    StringBuilder text =
        new StringBuilder(
            "account,user,month,attempts,cpu_hours,gib_hours,gpu_hours,cost,currency\n");
    for (TenantCosts.Row one : report.uses()) {
      List<String> row =
          List.of(
              one.account(),
              one.user(),
              report.month(),
              Integer.toString(one.attempts()),
              exact(one.cpuHours()),
              exact(one.gibHours()),
              exact(one.gpuHours()),
              one.cost().toPlainString(),
              report.currency());
      text.append(String.join(",", row)).append('\n');
    }
    return text.toString();
  }

  /** As a document. */
  static void json(JsonTarget target, TenantReport report) {
    TenantReport.Given own = report.own();
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target)) {
      json.object().text("account", own.account()).text("description", own.description());
      json.text("month", report.month()).flag("sees_all", report.whole());
      json.texts("accounts", own.accounts()).texts("coordinators", own.coordinators());
      json.texts("users", own.users()).texts("qos", own.qos());
      json.text("default_qos", own.defaultQos()).texts("partitions", own.partitions());
      json.list("limits");
      for (TenantReport.Limit one : report.limits()) {
        json.object().text("limit", one.name()).number("most", one.most());
        json.maybe("used", one.used()).endObject();
      }
      json.endList().list("uses");
      for (TenantCosts.Row one : report.uses()) {
        json.object().text("account", one.account()).text("user", one.user());
        json.number("attempts", one.attempts()).fraction("cpu_hours", one.cpuHours());
        json.fraction("gib_hours", one.gibHours()).fraction("gpu_hours", one.gpuHours());
        json.text("cost", one.cost().toPlainString()).endObject();
      }
      json.endList().text("currency", report.currency());
      json.text("spent", report.spent().toPlainString());
      json.text("budget", report.budget() == null ? "" : report.budget().toPlainString());
      json.text("left", report.left() == null ? "" : String.valueOf(report.left()));
      json.number("running_jobs", report.running()).list("waiting_jobs");
      for (Map.Entry<String, Integer> one : report.waiting().entrySet()) {
        json.object().text("reason", one.getKey()).number("count", one.getValue()).endObject();
      }
      json.endList().object("efficiency");
      json.decimal("cpus", report.efficiency().cpus());
      json.decimal("memory", report.efficiency().memory());
      json.decimal("gpus", report.efficiency().gpus()).endObject();
      JsonEnvelope.end(json, report.clusterName());
    }
  }
}
