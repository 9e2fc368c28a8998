package io.dure.cli.forecast;

import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.protocol.AccuracyRow;
import io.dure.protocol.Response;
import io.dure.protocol.StartForecastInfo;
import io.dure.surface.language.LocalizedPhrases;
import io.dure.surface.language.ScreenText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Forecasts of starts as text. Used once. */
final class ForecastText extends ScreenText {
  private static final int MOST_JOBS = 20;

  /** A start that is closer than that is one that happens about now. */
  private static final Duration SOON = Duration.ofSeconds(30);

  ForecastText(LocalizedPhrases phrases, ZoneId zone) {
    super(phrases, zone);
  }

  /**
   * All that wait, the first to start first.
   *
   * @param every whether each is shown
   */
  String all(Response.ForecastAccuracy known, List<JobStartStatus> forecasts, boolean every) {
    line(phrases.text("title", known.clusterName(), time(known.now())));
    line("");
    if (forecasts.isEmpty()) {
      line(phrases.text("no-job"));
      return text.toString();
    }
    List<JobStartStatus.Expected> expected = new ArrayList<>();
    List<JobStartStatus> others = new ArrayList<>();
    for (JobStartStatus one : forecasts) {
      if (one instanceof JobStartStatus.Expected some) {
        expected.add(some);
      } else {
        others.add(one);
      }
    }
    int most = every ? expected.size() : Math.min(MOST_JOBS, expected.size());
    if (!expected.isEmpty()) {
      starts(expected.subList(0, most));
      if (most < expected.size()) {
        line(phrases.text("later", expected.size() - most));
      }
      line("");
      line(phrases.text("means"));
      line(phrases.text("means-limits"));
    }
    basis(known);
    for (JobStartStatus one :
        every ? others : others.subList(0, Math.min(MOST_JOBS, others.size()))) {
      say(one, known.now());
    }
    return text.toString();
  }

  /** Those that were asked for. */
  String some(Response.ForecastAccuracy known, List<JobStartStatus> forecasts) {
    for (JobStartStatus one : forecasts) {
      say(one, known.now());
    }
    if (forecasts.stream().anyMatch(one -> one.info().job().state() instanceof JobState.Pending)) {
      basis(known);
    }
    return text.toString();
  }

  private void basis(Response.ForecastAccuracy known) {
    if (!known.made()) {
      line(phrases.text("not-made"));
    } else if (known.runs() == 0) {
      line(phrases.text("no-history"));
    }
  }

  private void starts(List<JobStartStatus.Expected> rows) {
    List<List<String>> table = new ArrayList<>();
    table.add(phrases("job", "user", "name", "p10", "p50", "p90", "limits"));
    for (JobStartStatus.Expected row : rows) {
      Job job = row.info().job();
      StartForecastInfo forecast = row.forecast();
      table.add(
          List.of(
              row.id(),
              job.owner().userName(),
              job.spec().name(),
              time(forecast.p10()),
              time(forecast.p50()),
              time(forecast.p90()),
              forecast.byLimits() == null ? "-" : time(forecast.byLimits())));
    }
    table(table);
  }

  private void say(JobStartStatus one, Instant now) {
    Job job = one.info().job();
    String subject = phrases.text("one", one.id(), job.spec().name(), job.owner().userName()) + " ";
    switch (one) {
      case JobStartStatus.Expected(_, _, StartForecastInfo forecast) ->
          expected(subject, forecast, now);
      case JobStartStatus.Unknown(_, _, String phrase, String reason) ->
          line(subject + phrases.text(phrase, reason));
      case JobStartStatus.Started(_, _, Instant at) ->
          line(subject + phrases.text("started", time(at)));
      case JobStartStatus.Over _ -> line(subject + phrases.text("over"));
    }
  }

  private void expected(String subject, StartForecastInfo forecast, Instant now) {
    Duration wait = Duration.between(now, forecast.p50());
    if (wait.compareTo(SOON) < 0) {
      line(subject + phrases.text("one-now"));
    } else {
      line(subject + phrases.text("one-start", time(forecast.p50()), duration(wait)));
    }
    line("  " + phrases.text("one-range", time(forecast.p10()), time(forecast.p90())));
    if (forecast.byLimits() != null) {
      line("  " + phrases.text("one-limits", time(forecast.byLimits())));
    }
  }

  /** How well forecasts have held. */
  String accuracy(Response.ForecastAccuracy known) {
    line(phrases.text("accuracy-title", known.clusterName(), time(known.now())));
    line("");
    AccuracyRow all = known.all();
    if (all == null) {
      line(phrases.text("accuracy-none"));
      basis(known);
      return text.toString();
    }
    List<List<String>> table = new ArrayList<>();
    table.add(phrases("told", "jobs", "error", "covered", "limits-error"));
    for (AccuracyRow row : known.rows()) {
      table.add(row(told(row.until()), row));
    }
    table.add(row(phrases.text("all"), all));
    table(table);
    line("");
    line(phrases.text("means-error"));
    line(phrases.text("means-covered"));
    line(phrases.text("means-all"));
    return text.toString();
  }

  private String told(@Nullable Duration until) {
    return until == null ? phrases.text("longer") : phrases.text("until", duration(until));
  }

  private List<String> row(String name, AccuracyRow row) {
    return List.of(
        name,
        Long.toString(row.jobs()),
        duration(row.error()),
        Math.round(row.covered() * 100) + "%",
        row.limitsError() == null ? "-" : duration(row.limitsError()));
  }

  private String duration(Duration time) {
    long minutes = time.plusSeconds(30).toMinutes();
    if (time.toSeconds() < 60) {
      return phrases.text("seconds", Math.max(0, time.toSeconds()));
    }
    long hours = minutes / 60;
    if (hours == 0) {
      return phrases.text("minutes", minutes);
    }
    if (hours >= 24) {
      long days = hours / 24;
      String plain = days == 1 ? phrases.text("day") : phrases.text("days", days);
      return hours % 24 == 0 || days > 9 ? plain : daysAndHours(days, hours % 24);
    }
    return minutes % 60 == 0
        ? phrases.text("hours", hours)
        : phrases.text("hours-minutes", hours, minutes % 60);
  }

  private String daysAndHours(long days, long hours) {
    return days == 1
        ? phrases.text("day") + " " + phrases.text("hours", hours)
        : phrases.text("days-hours", days, hours);
  }
}
