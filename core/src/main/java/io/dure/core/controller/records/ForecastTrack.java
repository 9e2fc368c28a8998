package io.dure.core.controller.records;

import io.dure.core.collection.IntMap;
import io.dure.core.forecast.Forecast;
import io.dure.core.forecast.ForecastBook;
import io.dure.core.model.ArrayPart;
import io.dure.core.model.Hold;
import io.dure.core.model.Job;
import io.dure.core.model.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was told of the starts of jobs, and what came of it. It follows from the events alone. What
 * was told of a job that then asked for something else, was held, or never started, is forgotten.
 *
 * @param open what was first told of jobs that still wait, by job
 * @param book what came of those that started
 */
public record ForecastTrack(IntMap<Forecast> open, ForecastBook book) {
  /** Nothing was told. */
  public static final ForecastTrack EMPTY = new ForecastTrack(IntMap.empty(), ForecastBook.EMPTY);

  /** A shorter wait is none that anybody asks about. */
  public static final Duration LEAST_WAIT = Duration.ofMinutes(1);

  private static final int MOST_OPEN = 1 << 18;

  /** Whether what is told of a job now is worth to be remembered. */
  public boolean wants(Job job) {
    return job.state() instanceof JobState.Pending pending
        && pending.hold() == Hold.NONE
        && !(job.array() instanceof ArrayPart.Waiting)
        && !job.follows()
        && !open.contains(job.id())
        && open.size() < MOST_OPEN;
  }

  /** Of what is told of jobs, that which is worth to be remembered. */
  public List<Foretold> wanted(IntMap<Job> pending, List<Foretold> told) {
    List<Foretold> wanted = new ArrayList<>();
    for (Foretold one : told) {
      Job job = pending.get(one.jobId());
      if (job != null && wants(job)) {
        wanted.add(one);
      }
    }
    return List.copyOf(wanted);
  }

  /** With what was first told of these jobs. */
  public ForecastTrack told(List<Foretold> first) {
    IntMap<Forecast> next = open;
    for (Foretold one : first) {
      next = next.with(one.jobId(), one.forecast());
    }
    return new ForecastTrack(next, book);
  }

  /** A job is another one now, or came (null before) or went (null now). */
  public ForecastTrack changed(@Nullable Job before, @Nullable Job after) {
    Forecast told = before == null ? null : open.get(before.id());
    if (before == null || told == null) {
      return this;
    }
    if (after != null && after.state() instanceof JobState.Pending pending) {
      boolean same = pending.hold() == Hold.NONE && after.spec().equals(before.spec());
      return same ? this : new ForecastTrack(open.without(before.id()), book);
    }
    JobState.Running run = after == null ? null : after.state().underWay();
    Instant start = run == null ? null : run.start();
    return new ForecastTrack(open.without(before.id()), noted(told, start));
  }

  private ForecastBook noted(Forecast told, @Nullable Instant start) {
    boolean waited = start != null && !start.isBefore(told.made().plus(LEAST_WAIT));
    return start != null && waited ? book.noted(told, start) : book;
  }
}
