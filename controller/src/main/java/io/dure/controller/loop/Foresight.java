package io.dure.controller.loop;

import io.dure.core.collection.IntMap;
import io.dure.core.config.policy.PolicyReader;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.history.forecast.Forecast;
import io.dure.core.history.forecast.Foretold;
import io.dure.core.model.Job;
import io.dure.host.log.Log;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The thread that keeps forecasts of all that wait: again and again it has a {@link Seer} look into
 * the future of the newest state, rests so long after each look that no more than a share of a
 * processor is used, and sleeps while nothing waits. A look that has to be had within {@link
 * #LONGEST_ROUND} is had with more than that share.
 *
 * <p>What was first told of a job is handed on to be remembered, many jobs at a time.
 */
public final class Foresight implements AutoCloseable {
  /** Between two looks at the same cluster. */
  private static final Duration SHORTEST_ROUND = Duration.ofSeconds(2);

  /** What is told is worked out anew so often, as long as a processor is enough for that. */
  private static final Duration LONGEST_ROUND = Duration.ofSeconds(30);

  private static final Duration LONGEST_SLEEP = Duration.ofSeconds(30);

  /** What took longer to be worked out is told nobody. */
  private static final Duration STALE = Duration.ofHours(1);

  /** A clock that is off by more than that from how much time has passed has been set. */
  private static final Duration LEAP = Duration.ofMinutes(1);

  private static final int PERCENT = 100;

  /** A forecast that moved by less than that part of its wait is told as it was. */
  private static final double MOVED = 0.05;

  private static final Duration LEAST_MOVE = Duration.ofSeconds(30);

  private final Supplier<ClusterState> states;
  private final Seer seer;
  private final Consumer<Command.NoteForecasts> notes;
  private final InstantSource clock;
  private final Log log;
  private final Thread thread;
  private final FirstWords first = new FirstWords();
  private volatile IntMap<Forecast> newest = IntMap.empty();
  private volatile boolean closing;
  private volatile boolean changed;
  private boolean failed;

  /** Looks into the future of a state. One thread asks; another may close. */
  public interface Seer extends AutoCloseable {
    /**
     * What can be said of the starts of those that wait.
     *
     * @throws IOException if nothing can be said at this time
     */
    Seen see(ClusterState state, Instant now) throws IOException, InterruptedException;

    /** Nothing waits: nobody will ask for a while. */
    default void rest() {}

    /** Ends a look that is under way. */
    @Override
    default void close() {}
  }

  /**
   * What was seen.
   *
   * @param starts by job
   * @param work how long a processor was busy with it
   */
  public record Seen(Map<Integer, Forecast> starts, Duration work) {}

  /**
   * A thread that has not begun.
   *
   * @param states the newest state
   * @param seer is closed with this
   * @param notes takes what is to be remembered; must not wait for long
   */
  public Foresight(
      Supplier<ClusterState> states,
      Seer seer,
      Consumer<Command.NoteForecasts> notes,
      InstantSource clock,
      Log log) {
    this.states = states;
    this.seer = seer;
    this.notes = notes;
    this.clock = clock;
    this.log = log;
    thread = Thread.ofPlatform().daemon().name("forecast").unstarted(this::run);
  }

  /** Begins. */
  public void start() {
    thread.start();
  }

  /** What is told of each job now, by its id; never null. Any thread. */
  public IntMap<Forecast> newest() {
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
      try {
        cycle = round();
        failed = false;
      } catch (InterruptedException e) {
        // closing
      } catch (IOException e) {
        forget();
        if (!closing && !failed) {
          log.error("no forecasts for now: " + e.getMessage());
        }
        failed = true;
      } catch (RuntimeException | Error bug) {
        forget();
        log.error("bug in a forecast", bug);
      }
      sleep(cycle.minusNanos(System.nanoTime() - began));
      // Time alone changes what is to be expected of those that run.
      long slept = System.nanoTime();
      while (!closing && !changed && isShort(System.nanoTime() - slept)) {
        LockSupport.parkNanos(LONGEST_SLEEP.toNanos());
      }
    }
  }

  private boolean isShort(long sleptNanos) {
    return sleptNanos < LONGEST_SLEEP.toNanos();
  }

  /** What was said before is not kept up any more, so nobody is told it. */
  private void forget() {
    newest = IntMap.empty();
    first.clear();
  }

  /** Looks once at all that waits; how long after its begin the next look is due. */
  private Duration round() throws IOException, InterruptedException {
    ClusterState state = states.get();
    int share = PolicyReader.forecastShare(state.settings().scheduling().parameters());
    if (share == 0 || state.pending().isEmpty()) {
      forget();
      seer.rest();
      return SHORTEST_ROUND;
    }
    Instant now = clock.instant();
    long began = System.nanoTime();
    Seen seen = seer.see(state, now);
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    Duration passed = Duration.between(now, clock.instant());
    if (took.compareTo(STALE) > 0 || passed.minus(took).abs().compareTo(LEAP) > 0) {
      // It is about another cluster by now, or about a time that is not counted any more.
      forget();
    } else if (!closing) {
      publish(state, seen.starts());
      List<Foretold> told = first.due(states.get());
      if (!told.isEmpty()) {
        notes.accept(new Command.NoteForecasts(told));
      }
    }
    return pause(seen.work(), share);
  }

  /** How long after the begin of one look the next is due that takes as much work. */
  static Duration pause(Duration work, int share) {
    Duration fair = work.multipliedBy(PERCENT).dividedBy(share);
    Duration bound = fair.compareTo(LONGEST_ROUND) < 0 ? fair : LONGEST_ROUND;
    return bound.compareTo(SHORTEST_ROUND) < 0 ? SHORTEST_ROUND : bound;
  }

  private void publish(ClusterState seen, Map<Integer, Forecast> starts) {
    IntMap<Forecast> before = newest;
    IntMap<Forecast> next = before;
    for (int job : before.keys()) {
      next = seen.pending().contains(job) ? next : next.without(job);
    }
    for (Job job : seen.pending().values()) {
      int id = job.id();
      Forecast told = starts.get(id);
      if (told == null) {
        next = next.without(id);
      } else {
        Forecast old = before.get(id);
        next = old != null && isAbout(told, old) ? next : next.with(id, told);
      }
    }
    first.told(seen.pending(), starts);
    newest = next;
  }

  /** Whether people would be told the same again. */
  private static boolean isAbout(Forecast told, Forecast old) {
    Duration wait = Duration.between(told.made(), told.p50());
    Duration least = Duration.ofMillis((long) (wait.toMillis() * MOVED));
    Duration bound = least.compareTo(LEAST_MOVE) < 0 ? LEAST_MOVE : least;
    return isNear(told.p10(), old.p10(), bound)
        && isNear(told.p50(), old.p50(), bound)
        && isNear(told.p90(), old.p90(), bound);
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

  /** Ends. Any thread, also more than once; waits for nothing. */
  @Override
  public void close() {
    closing = true;
    seer.close();
    thread.interrupt();
  }
}
