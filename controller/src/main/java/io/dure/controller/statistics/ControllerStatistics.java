package io.dure.controller.statistics;

import io.dure.cluster.ClusterState;
import io.dure.cluster.Event;
import io.dure.controller.loop.LatestValue;
import io.dure.model.job.ArrayPart;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.protocol.StatisticsInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.IntFunction;

/**
 * What the controller that leads has counted. Jobs are counted by the thread that makes events
 * durable, passes by the scheduler's, requests by the threads that answer them; none waits for
 * another. Jobs and passes are counted anew from each midnight UTC on, as in Slurm; all is from a
 * reset on.
 */
public final class ControllerStatistics {
  private static final int READINGS = 1000;
  private static final long NANOS_A_MICRO = 1000;

  private final InstantSource clock;
  private final Duration clockCost;
  private final RequestCounts requests = new RequestCounts();
  private final LatestValue<Instant> reset;
  private final LatestValue<JobOutcomeCounts> jobs;
  private final LatestValue<SchedulerPassStatistics> main;
  private final LatestValue<SchedulerPassStatistics> backfill;
  private final LatestValue<Backfilled> backfilled;

  /**
   * Jobs that started ahead of others.
   *
   * @param reset when they were last counted from 0
   * @param all since then
   * @param cycle since then, or since midnight
   * @param ofCycle the same since then
   */
  private record Backfilled(Instant reset, long all, Instant cycle, long ofCycle) {
    Backfilled in(Instant lastReset, Instant period) {
      return new Backfilled(
          lastReset, reset.equals(lastReset) ? all : 0, period, cycle.equals(period) ? ofCycle : 0);
    }

    Backfilled and(int more) {
      return new Backfilled(reset, all + more, cycle, ofCycle + more);
    }
  }

  /** Counts from now on. */
  public ControllerStatistics(InstantSource clock) {
    this.clock = clock;
    clockCost = costOf(clock);
    Instant now = clock.instant();
    reset = new LatestValue<>(now);
    jobs = new LatestValue<>(JobOutcomeCounts.none(now));
    main = new LatestValue<>(SchedulerPassStatistics.none(now));
    backfill = new LatestValue<>(SchedulerPassStatistics.none(now));
    backfilled = new LatestValue<>(new Backfilled(now, 0, now, 0));
  }

  private static Duration costOf(InstantSource clock) {
    long began = System.nanoTime();
    for (int i = 0; i < READINGS; i++) {
      var _ = clock.instant();
    }
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** Counts what is asked. */
  public RequestCounts requests() {
    return requests;
  }

  private Instant since(Instant now) {
    Instant midnight = now.truncatedTo(ChronoUnit.DAYS);
    Instant last = reset.get();
    return last.isBefore(midnight) ? midnight : last;
  }

  /**
   * Events are durable. One thread at a time.
   *
   * @param after the state that they led to, or a later one
   */
  public void happened(List<Event> events, ClusterState after) {
    if (!events.isEmpty()) {
      jobs.set(jobs.get().in(since(clock.instant())).and(events, after));
    }
  }

  /**
   * A pass is over. If it promised starts, it is one of backfill as well. The scheduler's thread.
   */
  public void planned(long nanos, SchedulerPassResult found) {
    Instant now = clock.instant();
    Instant since = since(now);
    main.set(main.get().in(since).and(found, nanos, now));
    if (found.promised() > 0) {
      backfill.set(backfill.get().in(since).and(found, nanos, now));
    }
    if (found.backfilled() > 0) {
      backfilled.set(backfilled.get().in(reset.get(), since).and(found.backfilled()));
    }
  }

  /** Counts from 0 again. Any thread. */
  public void reset() {
    reset.set(clock.instant());
    requests.reset();
  }

  /**
   * What was counted. Any thread; takes time for each job that there is.
   *
   * @param queued messages on their way to node daemons
   * @param sending node daemons to which some are on their way
   * @param names the names of users
   * @param daemonUid user number of node daemons
   */
  public StatisticsInfo told(
      ClusterState state, int queued, int sending, IntFunction<String> names, int daemonUid) {
    Instant now = clock.instant();
    Instant since = since(now);
    return new StatisticsInfo(
        now,
        since,
        new StatisticsInfo.Load(requests.answering(), queued, sending),
        told(jobs.get().in(since), state),
        now,
        told(main.get().in(since)),
        told(backfill.get().in(since), backfilled.get().in(reset.get(), since)),
        clockCost,
        requests.types(),
        requests.users(names, daemonUid));
  }

  private static StatisticsInfo.Jobs told(JobOutcomeCounts counts, ClusterState state) {
    long[] pending = new long[1];
    state.pending().forEach((_, job) -> pending[0] += waiting(job));
    long[] running = new long[1];
    state
        .active()
        .forEach((_, job) -> running[0] += job.state() instanceof JobState.Running ? 1 : 0);
    return new StatisticsInfo.Jobs(
        counts.submitted(),
        counts.started(),
        counts.completed(),
        counts.canceled(),
        counts.failed(),
        pending[0],
        running[0]);
  }

  private static int waiting(Job job) {
    return job.array() instanceof ArrayPart.Waiting tasks ? tasks.waiting().size() : 1;
  }

  private static StatisticsInfo.Main told(SchedulerPassStatistics counts) {
    return new StatisticsInfo.Main(
        counts.cycles(),
        micros(counts.last()),
        micros(counts.longest()),
        micros(counts.time()),
        counts.depth(),
        counts.lastPass().queue());
  }

  /** Of the last pass before a reset Slurm tells no more than when it was, and its table. */
  private static StatisticsInfo.Backfill told(SchedulerPassStatistics counts, Backfilled jobs) {
    SchedulerPassResult last =
        counts.cycles() > 0 ? counts.lastPass() : SchedulerPassResult.NOTHING;
    return new StatisticsInfo.Backfill(
        jobs.all(),
        jobs.ofCycle(),
        counts.cycles(),
        counts.at().equals(Instant.EPOCH) ? null : counts.at(),
        counts.cycles() > 0 ? micros(counts.last()) : 0,
        micros(counts.longest()),
        micros(counts.time()),
        last.depth(),
        last.tried(),
        counts.depth(),
        counts.tried(),
        last.queue(),
        counts.queue(),
        counts.lastPass().promised(),
        counts.table());
  }

  private static long micros(long nanos) {
    return nanos / NANOS_A_MICRO;
  }
}
