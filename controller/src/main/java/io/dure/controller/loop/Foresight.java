package io.dure.controller.loop;

import io.dure.core.collection.IntMap;
import io.dure.core.config.policy.PolicyReader;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.Command;
import io.dure.core.controller.records.Foretold;
import io.dure.core.forecast.Forecast;
import io.dure.core.model.Job;
import io.dure.host.log.Log;
import io.dure.host.process.Niceness;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The thread that keeps forecasts of all that wait: again and again it lets a {@link Seer} look
 * into the future of the newest state. It leaves the processors to all others, rests so long after
 * each step that it takes no more than its share of one, and sleeps while nothing waits.
 *
 * <p>What was first told of a job is remembered once the job has waited for a while, many jobs at a
 * time.
 */
public final class Foresight implements AutoCloseable {
  private static final Duration FAREWELL = Duration.ofSeconds(10);

  /** Between two looks at the same cluster. */
  private static final Duration SHORTEST_ROUND = Duration.ofSeconds(2);

  private static final Duration LONGEST_SLEEP = Duration.ofSeconds(30);
  private static final Duration NOTED_AFTER = Duration.ofSeconds(60);
  private static final Duration NOTES_EVERY = Duration.ofSeconds(10);
  private static final int MOST_NOTES = 1000;

  /** What took longer to be worked out is told nobody. */
  private static final Duration STALE = Duration.ofHours(1);

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
  private final Map<Integer, Forecast> first = new TreeMap<>();
  private volatile IntMap<Forecast> newest = IntMap.empty();
  private volatile boolean closing;
  private volatile boolean changed;
  private Instant noted = Instant.EPOCH;

  /** Looks into the future of a state. Called by one thread. */
  public interface Seer {
    /** Begins with a state. */
    void begin(ClusterState state, Instant now);

    /** Goes on for about some hundredths of a second; false once there is nothing more to do. */
    boolean step();

    /** What can be said of a job's start by now, null for nothing. */
    @Nullable Forecast of(int jobId);
  }

  /**
   * A thread that has not begun.
   *
   * @param states the newest state
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
    thread = Thread.ofPlatform().name("forecast").unstarted(this::run);
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
    if (!Niceness.yieldToAll()) {
      log.info("forecasts take their share of the processors as all others do");
    }
    while (!closing) {
      changed = false;
      long began = System.nanoTime();
      try {
        round();
      } catch (RuntimeException | Error bug) {
        // What was said before is not kept up any more, so nobody is told it.
        newest = IntMap.empty();
        log.error("bug in a forecast", bug);
        sleep(LONGEST_SLEEP);
      }
      sleep(SHORTEST_ROUND.minusNanos(System.nanoTime() - began));
      // Time alone changes what is to be expected of those that run.
      long slept = System.nanoTime();
      while (!closing && !changed && isShort(System.nanoTime() - slept)) {
        LockSupport.parkNanos(LONGEST_SLEEP.toNanos());
      }
    }
  }

  private boolean isShort(long sleptNanos) {
    return newest.isEmpty() || sleptNanos < LONGEST_SLEEP.toNanos();
  }

  /** Looks once at all that waits. */
  void round() {
    ClusterState state = states.get();
    int share = PolicyReader.forecastShare(state.settings().scheduling().parameters());
    if (share == 0 || state.pending().isEmpty()) {
      newest = IntMap.empty();
      first.clear();
      return;
    }
    Instant now = clock.instant();
    long worked = System.nanoTime();
    seer.begin(state, now);
    boolean more = true;
    while (more && !closing) {
      more = seer.step();
      long took = System.nanoTime() - worked;
      sleep(Duration.ofNanos(took * (PERCENT - share) / share));
      worked = System.nanoTime();
    }
    Duration took = Duration.between(now, clock.instant());
    if (took.isNegative() || took.compareTo(STALE) > 0) {
      // The clock jumped, or it took so long that it was about another cluster.
      newest = IntMap.empty();
      first.clear();
    } else if (!closing) {
      publish(state);
      note(now);
    }
  }

  private void publish(ClusterState seen) {
    IntMap<Forecast> before = newest;
    IntMap<Forecast> next = before;
    for (int job : before.keys()) {
      next = seen.pending().contains(job) ? next : next.without(job);
    }
    for (int job : seen.pending().keys()) {
      Forecast told = seer.of(job);
      if (told == null) {
        next = next.without(job);
      } else {
        Forecast old = before.get(job);
        next = old != null && isAbout(told, old) ? next : next.with(job, told);
        first.putIfAbsent(job, told);
      }
    }
    first.keySet().removeIf(job -> !seen.pending().contains(job));
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

  /** Has what was first told of those remembered that have waited for a while. */
  private void note(Instant now) {
    if (Duration.between(noted, now).compareTo(NOTES_EVERY) < 0) {
      return;
    }
    ClusterState state = states.get();
    List<Foretold> some = new ArrayList<>();
    for (Map.Entry<Integer, Forecast> entry : first.entrySet()) {
      Forecast told = entry.getValue();
      Job job = state.pending().get(entry.getKey());
      boolean old = !told.made().plus(NOTED_AFTER).isAfter(now);
      if (old && job != null && state.forecasts().wants(job)) {
        some.add(new Foretold(job.id(), told));
      }
      if (some.size() == MOST_NOTES) {
        break;
      }
    }
    if (!some.isEmpty()) {
      noted = now;
      notes.accept(new Command.NoteForecasts(List.copyOf(some)));
    }
  }

  private void sleep(Duration time) {
    long until = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0 && !closing; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    try {
      if (thread.getState() != Thread.State.NEW) {
        thread.join(FAREWELL);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
