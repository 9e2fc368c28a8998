package io.dure.twin.report;

import io.dure.surface.document.JsonLayout;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.result.ReplayResult;
import io.dure.twin.trace.SkippedRecords;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.json.JsonFactory;

/** The document of {@code --json}. */
public final class ReplayJsonReport {
  private static final double PRECISION = 1e6;

  private ReplayJsonReport() {}

  /** {@code {"runs": [...]}} with what was passed over in the trace. */
  public static String text(List<ReplayReport> runs, List<SkippedRecords> skipped) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(new JsonLayout(), text)) {
      out.writeStartObject();
      out.writeArrayPropertyStart("runs");
      runs.forEach(run -> run(out, run));
      out.writeEndArray();
      out.writeArrayPropertyStart("skipped");
      for (SkippedRecords skip : skipped) {
        out.writeStartObject();
        out.writeStringProperty("cause", skip.cause());
        out.writeNumberProperty("count", skip.count());
        out.writeNumberProperty("first_line", skip.firstLine());
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
    return text.append('\n').toString();
  }

  private static void run(JsonGenerator out, ReplayReport run) {
    out.writeStartObject();
    out.writeStringProperty("trace", run.trace());
    policy(out, run.policy());
    TraceWindow window = run.window();
    if (window != null) {
      out.writeObjectPropertyStart("window");
      out.writeNumberProperty("start", window.start());
      out.writeNumberProperty("count", window.count());
      out.writeEndObject();
    } else {
      out.writeNullProperty("window");
    }
    out.writeNumberProperty("jobs", run.counts().jobs());
    distribution(out, "bounded_slowdown", run.boundedSlowdown());
    distribution(out, "wait_seconds", run.waitSeconds());
    out.writeNumberProperty("utilization", rounded(run.utilization()));
    out.writeNumberProperty("wall_seconds", rounded(run.wallSeconds()));
    out.writeNumberProperty("jobs_per_second", rounded(run.jobsPerSecond()));
    endings(out, run.counts());
    interruptions(out, run.interruptions());
    reserved(out, run.reserved());
    out.writeStringProperty("schedule_sha256", run.digest());
    ForecastError error = run.forecastError();
    if (error != null) {
      forecast(out, error);
    }
    if (!run.windows().isEmpty()) {
      out.writeArrayPropertyStart("windows");
      run.windows().forEach(one -> run(out, one));
      out.writeEndArray();
    }
    out.writeEndObject();
  }

  private static void forecast(JsonGenerator out, ForecastError error) {
    out.writeObjectPropertyStart("forecast_error");
    out.writeNumberProperty("one_job_in", error.every());
    out.writeNumberProperty("jobs", error.jobs());
    out.writeNumberProperty("mean_seconds", rounded(error.meanError()));
    out.writeNumberProperty("mean_seconds_plan_from_limits", rounded(error.meanErrorOfPlan()));
    out.writeNumberProperty("mean_seconds_by_limits", rounded(error.meanErrorByLimits()));
    out.writeNumberProperty("between_p10_and_p90", rounded(error.coverage()));
    out.writeEndObject();
  }

  private static void policy(JsonGenerator out, ReplayPolicy policy) {
    out.writeObjectPropertyStart("policy");
    out.writeStringProperty("order", word(policy.order()));
    out.writeStringProperty("backfill", word(policy.backfill()));
    out.writeStringProperty("estimates", word(policy.estimates()));
    Duration bound = policy.starvationBound();
    if (bound == null) {
      out.writeNullProperty("starvation_bound_seconds");
    } else {
      out.writeNumberProperty("starvation_bound_seconds", bound.toSeconds());
    }
    out.writeEndObject();
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static void distribution(
      JsonGenerator out, String name, DistributionSummary distribution) {
    out.writeObjectPropertyStart(name);
    out.writeNumberProperty("mean", rounded(distribution.mean()));
    out.writeNumberProperty("p99", rounded(distribution.p99()));
    out.writeNumberProperty("max", rounded(distribution.max()));
    out.writeEndObject();
  }

  private static void endings(JsonGenerator out, ReplayReport.Counts counts) {
    out.writeObjectPropertyStart("endings");
    out.writeNumberProperty("finished", counts.finished());
    out.writeNumberProperty("timed_out", counts.timedOut());
    out.writeNumberProperty("node_failed", counts.nodeFailed());
    out.writeNumberProperty("preempted", counts.preempted());
    byCause(out, "refused", counts.refused());
    byCause(out, "never_started", counts.neverStarted());
    out.writeEndObject();
  }

  private static void work(JsonGenerator out, String name, ReplayResult.ComputeTime work) {
    out.writeNumberProperty("cpu_seconds_" + name, work.cpuSeconds());
    out.writeNumberProperty("gpu_seconds_" + name, work.gpuSeconds());
  }

  private static void interruptions(JsonGenerator out, ReplayResult.Interruptions all) {
    out.writeObjectPropertyStart("interruptions");
    out.writeNumberProperty("preempted_jobs", all.jobs());
    out.writeNumberProperty("cancelled_to_make_room", all.cancelled());
    out.writeNumberProperty("requeued_to_make_room", all.requeued());
    out.writeNumberProperty("suspended_to_make_room", all.suspended());
    out.writeNumberProperty("requeued_after_node_failure", all.lost());
    work(out, "lost_to_make_room", all.madeRoom());
    work(out, "lost_with_nodes", all.struck());
    out.writeNumberProperty("limits_lowered", all.lowered());
    out.writeEndObject();
  }

  private static void reserved(JsonGenerator out, ReplayResult.ReservedStarts all) {
    out.writeObjectPropertyStart("reserved_starts");
    out.writeNumberProperty("jobs", all.jobs());
    out.writeNumberProperty("late", all.late());
    out.writeNumberProperty("late_after_disturbance", all.disturbed());
    out.writeEndObject();
  }

  private static void byCause(JsonGenerator out, String name, Map<String, Integer> counts) {
    out.writeObjectPropertyStart(name);
    counts.forEach(out::writeNumberProperty);
    out.writeEndObject();
  }

  private static double rounded(double value) {
    return Math.round(value * PRECISION) / PRECISION;
  }
}
