package io.dure.cli.efficiency;

import io.dure.surface.json.JsonEnvelope;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.SlurmJsonWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Efficiency as a document. */
final class EfficiencyJson {
  private EfficiencyJson() {}

  /** Of jobs. */
  static void jobs(JsonTarget target, String cluster, List<JobReport> reports) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target)) {
      json.object().list("jobs");
      reports.forEach(report -> job(json, report));
      json.endList();
      JsonEnvelope.end(json, cluster);
    }
  }

  private static void job(SlurmJsonWriter json, JobReport report) {
    RunUse run = report.last();
    Duration limit = run.limit();
    json.object()
        .text("job", run.job().displayId())
        .text("name", run.job().spec().name())
        .text("user", run.job().owner().userName())
        .text("account", run.job().spec().account())
        .flag("over", run.over())
        .number("attempts_before", report.before())
        .number("cpu_seconds_before", report.lostSeconds())
        .number("elapsed_seconds", run.seconds())
        .maybe("limit_seconds", limit == null ? null : limit.toSeconds())
        .number("waited_seconds", run.waited())
        .number("nodes", run.nodes())
        .number("cpus", run.cpus())
        .maybe("cpu_microseconds", run.cpuMicros())
        .number("memory_mib", run.memoryMib())
        .maybe("memory_peak_bytes", run.peakBytes())
        .number("gpus", run.gpus())
        .maybe("gpu_peak_percent", run.gpuPercent())
        .maybe("gpu_memory_peak_bytes", run.gpuBytes())
        .list("next_time");
    for (Advice one : report.next().advice()) {
      json.object()
          .text("of", one.kind().name().toLowerCase(Locale.ROOT))
          .text("ask", one.text())
          .text("why", one.why())
          .endObject();
    }
    json.endList();
    trial(json, report.trial());
    json.endObject();
  }

  private static void trial(SlurmJsonWriter json, JobReport.@Nullable Trial trial) {
    if (trial != null) {
      json.object("submitted_now")
          .time("start_as_asked", trial.asked())
          .time("start_as_advised", trial.better())
          .text("refusal", trial.refusal())
          .endObject();
    }
  }

  /** Of a user or an account. */
  static void many(JsonTarget target, String cluster, ManyReport report) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target)) {
      json.object().time("from", report.from()).time("until", report.until());
      json.text("by", report.byUser() ? "user" : "job_name").list("groups");
      for (Map.Entry<String, UseTotals> one : report.groups()) {
        totals(json.object().text("name", one.getKey()), one.getValue());
        json.endObject();
      }
      json.endList().list("next_time");
      for (Map.Entry<ManyReport.Work, UseTotals> one : report.advised()) {
        json.object()
            .text("user", one.getKey().user())
            .text("job_name", one.getKey().name())
            .text("ask", one.getValue().text());
        trial(json, report.trial(one.getKey()));
        json.endObject();
      }
      json.endList();
      totals(json.object("all"), report.all());
      json.endObject();
      JsonEnvelope.end(json, cluster);
    }
  }

  private static void totals(SlurmJsonWriter json, UseTotals of) {
    json.number("attempts", of.runs())
        .number("attempts_of_unknown_use", of.unknown())
        .number("cpu_seconds", of.cpuSeconds())
        .number("idle_cpu_seconds", of.idleCpuSeconds())
        .number("gpu_seconds", of.gpuSeconds())
        .decimal("cpus_used", of.cpus())
        .decimal("memory_used", of.memory())
        .decimal("gpus_used", of.gpus())
        .decimal("time_used", of.time())
        .text("next_time", of.text());
  }
}
