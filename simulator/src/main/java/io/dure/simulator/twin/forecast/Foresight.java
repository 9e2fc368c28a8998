package io.dure.simulator.twin.forecast;

import io.dure.core.collection.IntMap;
import io.dure.core.config.Settings;
import io.dure.core.controller.records.ForecastTrack;
import io.dure.core.forecast.Forecaster;
import io.dure.core.history.forecast.Forecast;
import io.dure.core.history.forecast.Foretold;
import io.dure.core.model.Job;
import io.dure.core.scheduler.Estimates;
import io.dure.core.scheduler.Placement;
import io.dure.core.scheduler.Plan;
import io.dure.core.scheduler.SchedulerView;
import io.dure.core.scheduler.plan.Estimate;
import io.dure.core.scheduler.plan.Planner;
import io.dure.core.scheduler.plan.PlannerOptions;
import io.dure.core.scheduler.plan.TaskGate;
import io.dure.simulator.twin.Engine;
import io.dure.simulator.twin.Engines;
import io.dure.simulator.twin.Policy;
import io.dure.simulator.twin.report.ForecastError;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/**
 * The scheduler of a replay, and beside it somebody who says of jobs that come when they will
 * start, by what is known then. He learns from what comes of it. Used once.
 */
public final class Foresight implements Engine {
  private final Engine scheduler;
  private final PlannerOptions options;
  private final PlannerOptions promises;
  private final int every;
  private final BitSet known = new BitSet();
  private final TreeMap<Integer, Instant> plans = new TreeMap<>();
  private IntMap<Job> pending = IntMap.empty();
  private ForecastTrack track = ForecastTrack.EMPTY;
  private ForecastError error;

  /**
   * One who looks at one job in so many.
   *
   * @param settings of the machine
   */
  public Foresight(Policy policy, Settings settings, int every) {
    scheduler = Engines.of(policy, settings);
    options = Engines.options(policy, settings);
    promises =
        options
            .withBackfill(true)
            .withBookings(Integer.MAX_VALUE, Integer.MAX_VALUE)
            .withTail(PlannerOptions.Tail.QUEUE)
            .withEstimates(Estimates.LIMITS)
            .withEffort(PlannerOptions.WITHOUT_BOUND);
    this.every = every;
    error = new ForecastError(every, 0, 0, 0, 0, 0);
  }

  /** How far he was off until now. */
  public ForecastError error() {
    return error;
  }

  @Override
  public Plan plan(SchedulerView view, Instant now) {
    Plan plan = scheduler.plan(view, now);
    BitSet start = new BitSet();
    for (Placement placement : plan.starts()) {
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
    return plan;
  }

  private void foretell(SchedulerView view, Instant now, int id) {
    Forecaster forecaster =
        Forecaster.of(new Forecaster.Question(view, now, track.book(), id), options, List.of(id));
    while (forecaster.step()) {
      // One future after the other.
    }
    Forecast forecast = forecaster.result().get(id);
    if (forecast != null) {
      plans.put(id, planned(view, now, id, forecast.p50()));
      List<Foretold> told = List.of(new Foretold(id, forecast));
      track = track.told(view.pending()::get, track.wanted(view.pending()::get, told));
    }
  }

  /** When the plan from limits would start it; otherwise if it says nothing. */
  private Instant planned(SchedulerView view, Instant now, int id, Instant otherwise) {
    Planner planner = new Planner(promises);
    Plan plan = planner.plan(view, now, TaskGate.OPEN);
    Estimate promise = planner.promiseTo(id);
    boolean starts = plan.starts().stream().anyMatch(start -> start.jobId() == id);
    return starts ? now : promise == null ? otherwise : promise.start();
  }

  private void started(int id, Instant at) {
    Forecast forecast = track.open().get(id);
    Instant plan = plans.remove(id);
    if (forecast == null || plan == null) {
      return;
    }
    if (ForecastTrack.isCounted(forecast, at)) {
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
