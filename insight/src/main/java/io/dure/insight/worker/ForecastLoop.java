package io.dure.insight.worker;

import io.dure.cluster.ClusterState;
import io.dure.model.collection.IntMap;
import io.dure.model.command.Command;
import io.dure.model.config.queueorder.PolicySettingsReader;
import io.dure.model.forecast.FirstForecast;
import io.dure.model.forecast.JobStartForecast;
import io.dure.model.job.Job;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * The thread that keeps the forecasts of all pending jobs up to date: it has a {@link
 * ForecastSource} forecast the newest state, pauses so long afterwards that only its share of a CPU
 * is used, and sleeps while no job is pending. A round that would come later than {@link
 * #LONGEST_ROUND} gets more than that share.
 *
 * <p>The first forecast of each job is stored, in batches, to be compared with the actual start.
 */
public final class ForecastLoop implements AutoCloseable {
  /** Least time between the beginnings of two rounds. */
  private static final Duration SHORTEST_ROUND = Duration.ofSeconds(2);

  /** Most time between the beginnings of two rounds, as long as one CPU is enough for that. */
  private static final Duration LONGEST_ROUND = Duration.ofSeconds(30);

  private static final Duration LONGEST_SLEEP = Duration.ofSeconds(30);

  /** The next round follows so many times its work later where nothing has changed since. */
  private static final int SELDOM = 50;

  /** Most time between two rounds even so. */
  private static final Duration SELDOM_ENOUGH = Duration.ofMinutes(30);

  /** Forecasts that took longer to compute are discarded. */
  private static final Duration STALE = Duration.ofHours(1);

  /** A wall clock that differs by more than that from the time elapsed has been set. */
  private static final Duration LEAP = Duration.ofMinutes(1);

  private static final int PERCENT = 100;

  /** A forecast that moved by less than this fraction of the wait is shown unchanged. */
  private static final double MOVED = 0.05;

  private static final Duration LEAST_MOVE = Duration.ofSeconds(30);

  private final Supplier<ClusterState> states;
  private final ForecastSource source;
  private final Consumer<Command.NoteForecasts> notes;
  private final InstantSource clock;
  private final Logger log;
  private final Thread thread;
  private final ForecastSampler sampler = new ForecastSampler();
  private volatile IntMap<JobStartForecast> newest = IntMap.empty();
  private volatile boolean closing;
  private volatile boolean changed;
  private boolean failed;
  private Duration unchanged = LONGEST_SLEEP;

  /**
   * A thread that has not begun.
   *
   * @param states supplies the newest state
   * @param source is closed with this
   * @param notes takes the forecasts to be stored; must not block for long
   */
  public ForecastLoop(
      Supplier<ClusterState> states,
      ForecastSource source,
      Consumer<Command.NoteForecasts> notes,
      InstantSource clock,
      Logger log) {
    this.states = states;
    this.source = source;
    this.notes = notes;
    this.clock = clock;
    this.log = log;
    thread = Thread.ofPlatform().daemon().name("forecast").unstarted(this::run);
  }

  /** Begins. */
  public void start() {
    thread.start();
  }

  /** The current forecast of each pending job, by job id. Any thread. */
  public IntMap<JobStartForecast> newest() {
    return newest;
  }

  /** The cluster has changed. Any thread; does not block. */
  public void wake() {
    if (!changed) {
      changed = true;
      LockSupport.unpark(thread);
    }
  }

  private void run() {
    while (!closing) {
      changed = false;
      long began = System.nanoTime();
      Duration cycle = LONGEST_SLEEP;
      unchanged = LONGEST_SLEEP;
      try {
        cycle = round();
        failed = false;
      } catch (InterruptedException e) {
        // closing
      } catch (IOException e) {
        discard();
        if (!closing && !failed) {
          log.error("start-time forecasts are not available, retrying: " + e.getMessage());
        }
        failed = true;
      } catch (RuntimeException | Error bug) {
        discard();
        log.error("start-time forecasts failed, a bug in Dure; retrying", bug);
      }
      sleep(cycle.minusNanos(System.nanoTime() - began));
      // The passing of time alone changes what is expected of running jobs.
      long until = System.nanoTime() + unchanged.toNanos();
      for (long left = unchanged.toNanos(); left > 0 && !closing && !changed; ) {
        LockSupport.parkNanos(Math.min(left, LONGEST_SLEEP.toNanos()));
        left = until - System.nanoTime();
        source.idle();
      }
    }
  }

  /** How long the next round may be put off where nothing has changed. */
  static Duration whileUnchanged(Duration work) {
    Duration seldom = work.multipliedBy(SELDOM);
    Duration bound = seldom.compareTo(SELDOM_ENOUGH) < 0 ? seldom : SELDOM_ENOUGH;
    return bound.compareTo(LONGEST_SLEEP) < 0 ? LONGEST_SLEEP : bound;
  }

  /** Discards all forecasts, since they are no longer kept up to date. */
  private void discard() {
    newest = IntMap.empty();
    sampler.clear();
  }

  /** Forecasts all pending jobs once; how long after its beginning the next round is due. */
  private Duration round() throws IOException, InterruptedException {
    ClusterState state = states.get();
    int share = PolicySettingsReader.forecastShare(state.settings().scheduling().parameters());
    if (share == 0 || state.pending().isEmpty()) {
      discard();
      source.idle();
      return SHORTEST_ROUND;
    }
    Instant now = clock.instant();
    long began = System.nanoTime();
    ForecastSource.Result made = source.forecast(state, now);
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    Duration passed = Duration.between(now, clock.instant());
    if (took.compareTo(STALE) > 0 || passed.minus(took).abs().compareTo(LEAP) > 0) {
      // It is too old, or the wall clock was set meanwhile.
      discard();
    } else if (!closing) {
      publish(state, made.starts());
      List<FirstForecast> sample = sampler.due(states.get());
      if (!sample.isEmpty()) {
        notes.accept(new Command.NoteForecasts(sample));
      }
    }
    unchanged = whileUnchanged(made.work());
    return pause(made.work(), share);
  }

  /** Time from the beginning of one round to that of the next, if both take the same work. */
  static Duration pause(Duration work, int share) {
    Duration fair = work.multipliedBy(PERCENT).dividedBy(share);
    Duration bound = fair.compareTo(LONGEST_ROUND) < 0 ? fair : LONGEST_ROUND;
    return bound.compareTo(SHORTEST_ROUND) < 0 ? SHORTEST_ROUND : bound;
  }

  private void publish(ClusterState state, Map<Integer, JobStartForecast> starts) {
    IntMap<JobStartForecast> before = newest;
    IntMap<JobStartForecast> next = before;
    for (int job : before.keys()) {
      next = state.pending().contains(job) ? next : next.without(job);
    }
    for (Job job : state.pending().values()) {
      int id = job.id();
      JobStartForecast made = starts.get(id);
      if (made == null) {
        next = next.without(id);
      } else {
        JobStartForecast old = before.get(id);
        next = old != null && isAbout(made, old) ? next : next.with(id, made);
      }
    }
    sampler.add(state.pending(), starts);
    newest = next;
  }

  /** Whether the new forecast differs too little to be shown. */
  private static boolean isAbout(JobStartForecast made, JobStartForecast old) {
    Duration wait = Duration.between(made.made(), made.p50());
    Duration least = Duration.ofMillis((long) (wait.toMillis() * MOVED));
    Duration bound = least.compareTo(LEAST_MOVE) < 0 ? LEAST_MOVE : least;
    return isNear(made.p10(), old.p10(), bound)
        && isNear(made.p50(), old.p50(), bound)
        && isNear(made.p90(), old.p90(), bound);
  }

  private static boolean isNear(Instant one, Instant other, Duration bound) {
    return Duration.between(one, other).abs().compareTo(bound) <= 0;
  }

  private void sleep(Duration time) {
    long until = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0 && !closing; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** Ends the thread. Any thread, also more than once; does not block. */
  @Override
  public void close() {
    closing = true;
    source.close();
    thread.interrupt();
  }
}
