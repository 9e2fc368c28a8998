package io.dure.controller.view;

import io.dure.cluster.ClusterState;
import io.dure.model.config.queueorder.PolicySettingsReader;
import io.dure.model.forecast.HorizonAccuracy;
import io.dure.model.forecast.JobStartForecast;
import io.dure.model.job.Job;
import io.dure.protocol.AccuracyRow;
import io.dure.protocol.Response;
import io.dure.protocol.StartForecastInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Forecasts of starts, and how well they have held, as they are shown. Any thread. */
public final class ForecastView {
  private ForecastView() {}

  /** A forecast as it is told, null for none. No job starts before it may begin. */
  public static @Nullable StartForecastInfo told(Job job, @Nullable JobStartForecast forecast) {
    return forecast == null
        ? null
        : new StartForecastInfo(
            forecast.made(),
            notBefore(job, forecast.p10()),
            notBefore(job, forecast.p50()),
            notBefore(job, forecast.p90()),
            forecast.byLimits());
  }

  private static Instant notBefore(Job job, Instant start) {
    Instant begin = job.spec().beginTime();
    return begin == null || begin.isBefore(start) ? start : begin;
  }

  /** How well they have held, as far as that is known. */
  public static Response accuracy(ClusterState state, Instant now) {
    List<AccuracyRow> rows = new ArrayList<>();
    List<HorizonAccuracy> all = state.forecasts().book().accuracy();
    all.forEach(one -> rows.add(row(one)));
    HorizonAccuracy overall = state.forecasts().book().overall();
    return new Response.ForecastAccuracy(
        state.settings().controller().clusterName(),
        rows,
        overall == null ? null : row(overall),
        state.runs().ends(),
        PolicySettingsReader.forecastShare(state.settings().scheduling().parameters()) > 0,
        now);
  }

  private static AccuracyRow row(HorizonAccuracy one) {
    Double limits = one.meanErrorByLimits();
    return new AccuracyRow(
        one.upTo(),
        one.jobs(),
        seconds(one.meanError()),
        one.within(),
        limits == null ? null : seconds(limits));
  }

  private static Duration seconds(double seconds) {
    return Duration.ofSeconds(Math.round(seconds));
  }
}
