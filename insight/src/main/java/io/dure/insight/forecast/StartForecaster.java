package io.dure.insight.forecast;

import io.dure.model.forecast.ForecastHistory;
import io.dure.model.forecast.JobStartForecast;
import io.dure.model.forecast.WaitQuantiles;
import io.dure.model.job.Hold;
import io.dure.model.job.Job;
import io.dure.model.job.JobState;
import io.dure.rules.SchedulerView;
import io.dure.rules.queueorder.RunTimePredictor;
import io.dure.scheduler.PlannerOptions;
import io.dure.virtual.ArrivalSource;
import io.dure.virtual.RunTimeModel;
import io.dure.virtual.VirtualCluster;
import io.dure.virtual.VirtualClusterOptions;
import io.dure.virtual.VirtualClusterView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts when jobs start, by futures of their cluster: in the first every job runs to its limit
 * and none comes; in each of the others run times are drawn from those of jobs like them, and jobs
 * come as they did lately. What the futures say is corrected by what came of earlier forecasts
 * ({@link ForecastHistory}).
 *
 * <p>The work is done in steps, so that others can do something between; after some steps there is
 * something to say, and with each it is said better. The same arguments give the same forecasts.
 * One thread.
 */
public final class StartForecaster {
  /** Of fewer futures nothing is said. */
  private static final int LEAST = 5;

  /** A future in which jobs come has that many passes more than the one to the limits. */
  private static final int OF_LIMITS = 3;

  private static final int LEAST_PASSES = 300;

  /** As many as wait come in a future at most, and so many more. */
  private static final int LEAST_ARRIVALS = 500;

  /** In a long queue promises behind the first of a partition are looked at more seldom. */
  private static final long LOOKS = 1500;

  private static final int LONG_QUEUE = 300;

  /** Of so many at most something is said. */
  private static final int MOST_JOBS = 20_000;

  /** Passes of the future in which everything ends at once. */
  private static final int PASSES_OF_NOTHING = 300;

  /** Every run is over as soon as it has begun. */
  private static final RunTimeModel AT_ONCE = (_, _) -> 0;

  private static final long NOT_REACHED = Long.MAX_VALUE;

  private final PlannerOptions options;
  private final ForecastEffort effort;
  private final VirtualClusterView view;
  private final Instant now;
  private final RunTimePredictor predictor;
  private final StratifiedRandom draws;
  private final ForecastCalibration calibration;
  private final ResampledArrivals.Stand stand;
  private final TreeMap<Integer, Waits> jobs = new TreeMap<>();
  private int done;
  private @Nullable VirtualCluster current;
  private TreeSet<Integer> left = new TreeSet<>();
  private int passesLeft;
  private int enough;
  private boolean unreached;
  private boolean bounding;

  /** How long one job waits in the futures. */
  private static final class Waits {
    private final List<Long> seconds = new ArrayList<>();
    private @Nullable Instant byLimits;

    /** Seconds for which it waits in any case. */
    private long certain;
  }

  /**
   * What is asked of forecasts.
   *
   * @param view the cluster
   * @param now the time of the view
   * @param book what came of earlier forecasts
   * @param seed for what is drawn
   */
  public record Question(SchedulerView view, Instant now, ForecastHistory book, long seed) {}

  private StartForecaster(
      Question question, PlannerOptions options, ForecastEffort effort, Collection<Integer> ids) {
    this.options = options;
    this.effort = effort;
    view = VirtualClusterView.of(question.view());
    now = question.now();
    predictor = new RunTimePredictor(view.runs());
    draws = new StratifiedRandom(question.seed(), effort.futures());
    calibration = new ForecastCalibration(question.book());
    long least = Long.MAX_VALUE;
    for (Job job : view.pending().values()) {
      least = job.priority() > 0 ? Math.min(least, job.priority()) : least;
    }
    stand =
        new ResampledArrivals.Stand(
            least == Long.MAX_VALUE ? 1 : least, LEAST_ARRIVALS + view.pending().size());
    for (int id : ids) {
      Job job = view.pending().get(id);
      if (job != null && mayStart(job)) {
        Waits waits = new Waits();
        waits.certain = untilAllowed(job);
        jobs.put(id, waits);
      }
    }
    // Without reservations nothing but the begin time is certain.
    bounding = !view.reservations().isEmpty();
  }

  /** Forecasts of all that wait, for a cluster that plans by its settings. */
  public static StartForecaster ofAll(Question question) {
    return of(question, PlannerOptions.of(question.view().settings()));
  }

  /** Forecasts of all that wait; of a very long queue, of those that came first. */
  public static StartForecaster of(Question question, PlannerOptions options) {
    List<Integer> every = question.view().pending().keys();
    List<Integer> all = every.subList(0, Math.min(MOST_JOBS, every.size()));
    return of(question, options, all);
  }

  /** Forecasts of some of those that wait: the same as those of all, and sooner. */
  public static StartForecaster of(
      Question question, PlannerOptions options, Collection<Integer> jobs) {
    int waiting = Math.min(MOST_JOBS, question.view().pending().size());
    PlannerOptions lighter =
        waiting > LONG_QUEUE ? options.withEffort(Math.min(LOOKS, options.effort())) : options;
    return new StartForecaster(question, lighter, ForecastEffort.of(waiting), jobs);
  }

  /** What part of the futures without which nothing is said has been imagined, 1 for all. */
  public double progress() {
    return Math.min(1, done / (1.0 + Math.min(LEAST, effort.futures())));
  }

  private long untilAllowed(Job job) {
    Instant begin = job.spec().beginTime();
    Instant again = job.state() instanceof JobState.Pending pending ? pending.notBefore() : null;
    return Math.max(secondsUntil(begin), secondsUntil(again));
  }

  private long secondsUntil(@Nullable Instant at) {
    return at == null ? 0 : Math.max(0, Duration.between(now, at).toSeconds());
  }

  /** Whether it starts some time without intervention. */
  private static boolean mayStart(Job job) {
    return job.state() instanceof JobState.Pending pending
        && pending.hold() == Hold.NONE
        && !pending.dependencyFailed();
  }

  /** A whole future. False if all have been imagined; then nothing was done. */
  public boolean step() {
    boolean more = !jobs.isEmpty() && done <= effort.futures();
    int before = done;
    while (more && done == before) {
      more = step(Integer.MAX_VALUE);
    }
    return done > before;
  }

  /**
   * At most so many passes of a future; the next call goes on with it.
   *
   * @return false if all futures have been imagined
   */
  public boolean step(int passes) {
    if (jobs.isEmpty() || done > effort.futures()) {
      return false;
    }
    VirtualCluster future = current;
    if (future == null) {
      future = begin();
      current = future;
    }
    for (int i = 0; i < passes; i++) {
      boolean over =
          left.isEmpty()
              || passesLeft-- <= 0
              || future.now().isAfter(now.plus(effort.horizon()))
              || !future.step();
      if (over) {
        end(future);
        return done <= effort.futures();
      }
      future.plan().starts().forEach(start -> left.remove(start.jobId()));
    }
    return true;
  }

  private VirtualCluster begin() {
    left = new TreeSet<>(jobs.keySet());
    if (bounding) {
      passesLeft = PASSES_OF_NOTHING;
      return new VirtualCluster(
          view, now, new VirtualClusterOptions(options, AT_ONCE, ArrivalSource.NONE, 0));
    }
    passesLeft = alone() ? effort.passes() : enough;
    int drawn = done - 1;
    RunTimeModel lifetimes =
        done == 0 ? RunTimeModel.LIMITS : new SampledRunTimes(view, now, predictor, draws, drawn);
    ArrivalSource arrivals =
        alone()
            ? ArrivalSource.NONE
            : ResampledArrivals.of(view.runs(), now, stand, draws.of(drawn));
    return new VirtualCluster(
        view, now, new VirtualClusterOptions(options, lifetimes, arrivals, effort.coarseness()));
  }

  /** Whether no job arrives in this future: in the first, and once more if not all start in it. */
  private boolean alone() {
    return done == 0 || done == 1 && unreached;
  }

  /** A job that does not start although no job blocks it waits for what is reserved. */
  private void bound(VirtualCluster future) {
    jobs.forEach(
        (id, waits) -> waits.certain = Math.max(waits.certain, secondsUntil(future.startOf(id))));
    bounding = false;
    current = null;
  }

  private void end(VirtualCluster future) {
    if (bounding) {
      bound(future);
      return;
    }
    boolean byLimits = done == 0;
    if (alone()) {
      unreached = jobs.keySet().stream().anyMatch(id -> future.startOf(id) == null);
      enough = Math.min(effort.passes(), LEAST_PASSES + OF_LIMITS * future.passes());
      if (!byLimits) {
        // A job that does not start then waits for something else, and is not waited for.
        jobs.keySet().removeIf(id -> future.startOf(id) == null);
      }
    }
    jobs.forEach((id, waits) -> {
      Instant start = future.startOf(id);
      if (byLimits) {
        waits.byLimits = start;
      } else {
        waits.seconds.add(
            start == null ? NOT_REACHED : Math.max(0, Duration.between(now, start).toSeconds()));
      }
    });
    done++;
    current = null;
  }

  /**
   * What can be said by now, by job id. Left out are those of which nothing can: held jobs, jobs
   * that would not start if all ran to their limits, and jobs that start in fewer than half of the
   * futures.
   */
  public Map<Integer, JobStartForecast> result() {
    TreeMap<Integer, JobStartForecast> all = new TreeMap<>();
    if (done > Math.min(LEAST, effort.futures())) {
      jobs.forEach((id, waits) -> {
        JobStartForecast forecast = forecast(waits);
        if (forecast != null) {
          all.put(id, forecast);
        }
      });
    }
    return Collections.unmodifiableMap(all);
  }

  private @Nullable JobStartForecast forecast(Waits waits) {
    List<Long> rising = new ArrayList<>(waits.seconds);
    Collections.sort(rising);
    long middle = quantile(rising, 0.5);
    if (middle == NOT_REACHED) {
      return null;
    }
    // Nothing that a future has done otherwise is certain.
    long certain = Math.min(waits.certain, rising.getFirst());
    long high = Math.min(quantile(rising, 0.9), effort.horizon().toSeconds());
    WaitQuantiles raw =
        new WaitQuantiles(
            quantile(rising, 0.1) - certain, middle - certain, Math.max(middle, high) - certain);
    return calibration.of(now, certain, raw, waits.byLimits);
  }

  private static long quantile(List<Long> rising, double of) {
    double place = of * (rising.size() - 1);
    int index = (int) place;
    long low = rising.get(index);
    long high = rising.get(Math.min(index + 1, rising.size() - 1));
    return high == NOT_REACHED
        ? (place > index ? high : low)
        : low + Math.round((place - index) * (high - low));
  }
}
