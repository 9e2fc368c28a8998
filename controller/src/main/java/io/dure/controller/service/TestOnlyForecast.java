package io.dure.controller.service;

import io.dure.insight.forecast.StartForecaster;
import io.dure.model.collection.IntMap;
import io.dure.model.config.queueorder.PolicySettingsReader;
import io.dure.model.forecast.ForecastHistory;
import io.dure.model.forecast.JobStartForecast;
import io.dure.model.job.Job;
import io.dure.placement.admission.AdmissionView;
import io.dure.scheduler.PlannerOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** When a job would start that is not submitted, by the same forecast as those that are. */
final class TestOnlyForecast {
  /** Longest time to compute; afterwards the plan's start is the answer. */
  private static final Duration PATIENCE = Duration.ofMillis(1500);

  private static final Duration ABOUT_NOW = Duration.ofSeconds(30);
  private static final int PASSES = 4;

  /** How much of a queue's futures may be missing of what the time so far allows for. */
  private static final double HOPE = 1.5;

  /** When there is nothing yet to reckon with, nothing comes in time. */
  private static final double FIRST = 0.25;

  /** So many jobs that wait tell of one that would. */
  private static final int NEIGHBOURS = 9;

  /**
   * What is known of its start without it.
   *
   * @param planned what the plan says
   * @param now the time
   * @param book what came of earlier forecasts
   * @param kept what is told of those that wait
   */
  record Word(Instant planned, Instant now, ForecastHistory book, IntMap<JobStartForecast> kept) {}

  private final ReentrantLock one = new ReentrantLock();

  /**
   * The middle of a forecast; where the futures of the queue take too long, that of jobs which the
   * limits let start when they let this one. What the plan says is told where that is about now,
   * where no forecasts are to be made, and where there are none. Any thread; one at a time.
   *
   * @param after the cluster in which the job waits
   * @param word what is known without it
   */
  Instant start(AdmissionView after, int jobId, Word word) {
    Instant planned = word.planned();
    Instant now = word.now();
    int share = PolicySettingsReader.forecastShare(after.settings().scheduling().parameters());
    if (share == 0 || !planned.isAfter(now.plus(ABOUT_NOW)) || !one.tryLock()) {
      return planned;
    }
    try {
      JobStartForecast forecast = forecast(after, jobId, word);
      return forecast == null ? notBefore(after, jobId, like(word)) : forecast.p50();
    } finally {
      one.unlock();
    }
  }

  private static @Nullable JobStartForecast forecast(AdmissionView after, int jobId, Word word) {
    StartForecaster forecaster =
        StartForecaster.of(
            new StartForecaster.Question(after, word.now(), word.book(), 1),
            PlannerOptions.of(after.settings()),
            List.of(jobId));
    long began = System.nanoTime();
    boolean more = true;
    while (more && mayCome(forecaster.progress(), System.nanoTime() - began)) {
      more = forecaster.step(PASSES);
    }
    return forecaster.result().get(jobId);
  }

  /** Whether a word will be had in time, or is there already and can be made better. */
  static boolean mayCome(double progress, long nanos) {
    double used = (double) nanos / PATIENCE.toNanos();
    return used < 1 && (progress == 0 ? used < FIRST : used <= HOPE * progress);
  }

  private static Instant notBefore(AdmissionView after, int jobId, Instant start) {
    Job job = after.job(jobId);
    Instant begin = job == null ? null : job.spec().beginTime();
    return begin == null || begin.isBefore(start) ? start : begin;
  }

  /** What is told of those that the limits let start at about the same time. */
  static Instant like(Word word) {
    List<JobStartForecast> near = new ArrayList<>();
    word.kept()
        .forEach((_, one) -> {
          if (one.byLimits() != null) {
            near.add(one);
          }
        });
    if (near.size() < NEIGHBOURS) {
      return word.planned();
    }
    near.sort(Comparator.comparing((JobStartForecast one) -> distance(one, word.planned())));
    List<Instant> middles =
        near.subList(0, NEIGHBOURS).stream().map(JobStartForecast::p50).sorted().toList();
    Instant middle = middles.get(NEIGHBOURS / 2);
    return middle.isBefore(word.now()) ? word.now() : middle;
  }

  private static Duration distance(JobStartForecast one, Instant planned) {
    Instant limits = one.byLimits();
    return Duration.between(limits == null ? planned : limits, planned).abs();
  }
}
