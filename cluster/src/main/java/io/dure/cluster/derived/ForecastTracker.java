package io.dure.cluster.derived;

import io.dure.model.collection.IntMap;
import io.dure.model.forecast.FirstForecast;
import io.dure.model.forecast.ForecastHistory;
import io.dure.model.forecast.JobStartForecast;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What was told of the starts of jobs, and what came of it. It follows from the events alone. What
 * was told of a job that then asked for something else, was held, or never started, is forgotten.
 *
 * @param open what was first told of jobs that still wait, by job
 * @param book what came of those that started
 */
public record ForecastTracker(IntMap<JobStartForecast> open, ForecastHistory book) {
  /** Nothing was told. */
  public static final ForecastTracker EMPTY =
      new ForecastTracker(IntMap.empty(), ForecastHistory.EMPTY);

  /** Shorter waits are not forecast. */
  public static final Duration LEAST_WAIT = Duration.ofMinutes(1);

  /** Jobs eligible for less count as new. */
  private static final Duration EARLY = Duration.ofMinutes(10);

  private static final int MOST_OPEN = 1 << 18;

  /**
   * Whether what is told of a job then is told about as it comes. A job that has waited for long
   * already is not like those that come.
   */
  public static boolean isEarly(Job job, Instant made) {
    Instant since = job.eligibleTime();
    Instant from = since == null || since.isBefore(job.submitTime()) ? job.submitTime() : since;
    return Duration.between(from, made).compareTo(EARLY) <= 0;
  }

  /**
   * Whether what is told of a job now is worth to be remembered. An array is told of by its first
   * task; components of a heterogeneous job start with their leader, which speaks for them.
   */
  public boolean wants(Job job) {
    return job.state() instanceof JobState.Pending pending
        && pending.hold() == Hold.NONE
        && (!(job.array() instanceof ArrayPart.Waiting tasks)
            || tasks.waiting().size() == tasks.shape().count())
        && !job.isHetFollower()
        && !open.contains(job.id())
        && open.size() < MOST_OPEN;
  }

  /**
   * Of what is told of jobs, that which is worth to be remembered: also of those that have waited
   * for their start while it was worked out.
   *
   * @param jobs by id, null for one that is not there
   */
  public List<FirstForecast> wanted(IntFunction<@Nullable Job> jobs, List<FirstForecast> told) {
    List<FirstForecast> wanted = new ArrayList<>();
    for (FirstForecast one : told) {
      Job job = jobs.apply(one.jobId());
      if (job != null && (wants(job) || hasWaited(job, one.forecast()))) {
        wanted.add(one);
      }
    }
    return List.copyOf(wanted);
  }

  private boolean hasWaited(Job job, JobStartForecast told) {
    return !open.contains(job.id()) && !job.isHetFollower() && isCounted(told, start(job));
  }

  /** Whether a start tells how true that was: jobs that hardly wait are not counted. */
  public static boolean isCounted(JobStartForecast told, @Nullable Instant start) {
    return start != null && !start.isBefore(told.made().plus(LEAST_WAIT));
  }

  private static @Nullable Instant start(Job job) {
    return switch (job.state()) {
      case JobState.Pending _ -> null;
      case JobState.Running running -> running.start();
      case JobState.Suspended suspended -> suspended.run().start();
      case JobState.Completing completing -> completing.start();
      case JobState.Ended ended -> ended.start();
    };
  }

  /** With what was first told of these jobs. */
  public ForecastTracker told(IntFunction<@Nullable Job> jobs, List<FirstForecast> first) {
    IntMap<JobStartForecast> next = open;
    ForecastHistory known = book;
    for (FirstForecast one : first) {
      Job job = jobs.apply(one.jobId());
      Instant start = job == null ? null : start(job);
      if (start == null) {
        next = next.with(one.jobId(), one.forecast());
      } else if (isCounted(one.forecast(), start)) {
        known = known.noted(one.forecast(), start);
      }
    }
    return new ForecastTracker(next, known);
  }

  /** A job is another one now, or came (null before) or went (null now). */
  public ForecastTracker changed(@Nullable Job before, @Nullable Job after) {
    if (before == null || open.isEmpty()) {
      return this;
    }
    JobStartForecast told = open.get(before.id());
    JobState.Running run = after == null ? null : after.state().runningOrSuspended();
    if (told == null) {
      boolean first = run != null && before.state() instanceof JobState.Pending;
      JobStartForecast ofAll = first ? open.get(before.baseId()) : null;
      return run == null || ofAll == null ? this : started(before.baseId(), run.start());
    }
    if (after != null && after.state() instanceof JobState.Pending pending) {
      boolean same = pending.hold() == Hold.NONE && after.spec().equals(before.spec());
      return same ? this : new ForecastTracker(open.without(before.id()), book);
    }
    return run == null
        ? new ForecastTracker(open.without(before.id()), book)
        : started(before.id(), run.start());
  }

  /** A job of which something may have been told has started. */
  public ForecastTracker started(int id, Instant at) {
    JobStartForecast told = open.get(id);
    return told == null
        ? this
        : new ForecastTracker(open.without(id), isCounted(told, at) ? book.noted(told, at) : book);
  }
}
