package io.dure.twin.forecast;

import io.dure.cluster.derived.ForecastTracker;
import io.dure.insight.forecast.StartForecaster;
import io.dure.model.collection.IntMap;
import io.dure.model.command.Placement;
import io.dure.model.config.ClusterSettings;
import io.dure.model.forecast.FirstForecast;
import io.dure.model.forecast.JobStartForecast;
import io.dure.model.job.Job;
import io.dure.rules.SchedulerView;
import io.dure.rules.queueorder.RunTimeEstimates;
import io.dure.scheduler.ArrayTaskGate;
import io.dure.scheduler.Planner;
import io.dure.scheduler.PlannerOptions;
import io.dure.scheduler.StartEstimate;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.policy.ReplaySchedulers;
import io.dure.twin.report.ForecastError;
import io.dure.virtual.VirtualScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/**
 * The scheduler of a replay, and beside it a forecaster that says of arriving jobs when they will
 * start, by what is known then. The forecaster learns from what comes of it. Used once.
 */
public final class ForecastingScheduler implements VirtualScheduler {
  private final VirtualScheduler scheduler;
  private final PlannerOptions options;
  private final PlannerOptions promises;
  private final int every;
  private final BitSet known = new BitSet();
  private final TreeMap<Integer, Instant> plans = new TreeMap<>();
  private IntMap<Job> pending = IntMap.empty();
  private ForecastTracker track = ForecastTracker.EMPTY;
  private ForecastError error;

  /**
   * A forecaster that looks at one job in so many.
   *
   * @param settings of the machine
   */
  public ForecastingScheduler(ReplayPolicy policy, ClusterSettings settings, int every) {
    scheduler = ReplaySchedulers.of(policy, settings);
    options = ReplaySchedulers.options(policy, settings);
    promises =
        options
            .withBackfill(true)
            .withBookings(Integer.MAX_VALUE, Integer.MAX_VALUE)
            .withTail(PlannerOptions.Tail.QUEUE)
            .withEstimates(RunTimeEstimates.LIMITS)
            .withEffort(PlannerOptions.WITHOUT_BOUND);
    this.every = every;
    error = new ForecastError(every, 0, 0, 0, 0, 0);
  }

  /** How far its forecasts were off until now. */
  public ForecastError error() {
    return error;
  }

  @Override
  public Planner.Planned plan(
      SchedulerView view, Instant now, ArrayTaskGate gate, Planner.Memory memory) {
    Planner.Planned planned = scheduler.plan(view, now, gate, memory);
    BitSet start = new BitSet();
    for (Placement placement : planned.plan().starts()) {
      start.set(placement.jobId());
      started(placement.jobId(), now);
    }
    pending.forEachDifference(
        view.pending(),
        id -> {
          if (view.pending().contains(id) && !known.get(id)) {
            known.set(id);
            if (id % every == 0 && !start.get(id)) {
              foretell(view, now, id);
            }
          }
        });
    pending = view.pending();
    return planned;
  }

  private void foretell(SchedulerView view, Instant now, int id) {
    StartForecaster forecaster =
        StartForecaster.of(
            new StartForecaster.Question(view, now, track.book(), id), options, List.of(id));
    while (forecaster.step()) {
      // One future after the other.
    }
    JobStartForecast forecast = forecaster.result().get(id);
    if (forecast != null) {
      plans.put(id, planned(view, now, id, forecast.p50()));
      List<FirstForecast> told = List.of(new FirstForecast(id, forecast));
      track = track.told(view.pending()::get, track.wanted(view.pending()::get, told));
    }
  }

  /** When the plan from limits would start it; otherwise if it says nothing. */
  private Instant planned(SchedulerView view, Instant now, int id, Instant otherwise) {
    Planner planner = new Planner(promises);
    Planner.Planned planned = planner.plan(view, now, ArrayTaskGate.OPEN, Planner.Memory.none());
    StartEstimate promise = planned.memory().promiseTo(id);
    boolean starts = planned.plan().starts().stream().anyMatch(start -> start.jobId() == id);
    return starts ? now : promise == null ? otherwise : promise.start();
  }

  private void started(int id, Instant at) {
    JobStartForecast forecast = track.open().get(id);
    Instant plan = plans.remove(id);
    if (forecast == null || plan == null) {
      return;
    }
    if (ForecastTracker.isCounted(forecast, at)) {
      Instant limits = forecast.byLimits();
      boolean within = !at.isBefore(forecast.p10()) && !at.isAfter(forecast.p90());
      error =
          error.plus(
              new ForecastError(
                  every,
                  1,
                  off(forecast.p50(), at),
                  off(plan, at),
                  off(limits == null ? forecast.p50() : limits, at),
                  within ? 1 : 0));
    }
    track = track.started(id, at);
  }

  private static double off(Instant said, Instant is) {
    return Math.abs((double) Duration.between(said, is).toSeconds());
  }
}
