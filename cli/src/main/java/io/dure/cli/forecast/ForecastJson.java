package io.dure.cli.forecast;

import io.dure.model.job.Job;
import io.dure.protocol.AccuracyRow;
import io.dure.protocol.Response;
import io.dure.protocol.StartForecastInfo;
import io.dure.surface.json.JsonEnvelope;
import io.dure.surface.json.JsonTarget;
import io.dure.surface.json.SlurmJsonWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Forecasts of starts as a document. */
final class ForecastJson {
  private ForecastJson() {}

  /** Writes jobs. */
  static void print(
      JsonTarget target,
      Response.ForecastAccuracy known,
      List<JobStartStatus> forecasts,
      Instant now) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target)) {
      json.object().time("time", now).number("known_runs", known.runs()).list("jobs");
      for (JobStartStatus one : forecasts) {
        Job job = one.info().job();
        json.object()
            .number("job_id", job.id())
            .text("id", one.id())
            .text("name", job.spec().name())
            .text("user", job.owner().userName());
        switch (one) {
          case JobStartStatus.Expected(_, _, StartForecastInfo forecast) ->
              json.text("state", "expected")
                  .time("made", forecast.made())
                  .time("p10", forecast.p10())
                  .time("p50", forecast.p50())
                  .time("p90", forecast.p90())
                  .time("by_limits", forecast.byLimits());
          case JobStartStatus.Unknown(_, _, String phrase, String reason) ->
              json.text("state", phrase).text("reason", reason);
          case JobStartStatus.Started(_, _, Instant at) ->
              json.text("state", "started").time("start", at);
          case JobStartStatus.Over _ -> json.text("state", "over");
        }
        json.endObject();
      }
      json.endList();
      JsonEnvelope.end(json, known.clusterName());
    }
  }

  /** Writes how well forecasts have held. */
  static void print(JsonTarget target, Response.ForecastAccuracy known) {
    try (SlurmJsonWriter json = SlurmJsonWriter.of(target)) {
      json.object().time("time", known.now()).number("known_runs", known.runs()).list("accuracy");
      known.rows().forEach(row -> row(json, row));
      json.endList().list("all");
      if (known.all() != null) {
        row(json, known.all());
      }
      json.endList();
      JsonEnvelope.end(json, known.clusterName());
    }
  }

  private static void row(SlurmJsonWriter json, AccuracyRow row) {
    Duration until = row.until();
    Duration limits = row.limitsError();
    json.object()
        .bound("told_until_seconds", until == null ? null : Long.valueOf(until.toSeconds()))
        .number("jobs", row.jobs())
        .number("mean_error_seconds", row.error().toSeconds())
        .fraction("covered", row.covered())
        .maybe(
            "limits_mean_error_seconds", limits == null ? null : Long.valueOf(limits.toSeconds()))
        .endObject();
  }
}
