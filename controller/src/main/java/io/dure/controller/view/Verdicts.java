package io.dure.controller.view;

import io.dure.core.collection.IntMap;
import io.dure.core.history.forecast.Forecast;
import io.dure.core.scheduler.Verdict;
import java.time.Instant;

/**
 * What the scheduler's last pass found out.
 *
 * @param byJob verdicts by job id
 * @param at when it looked
 * @param forecasts when jobs are expected to start, as it was last worked out, by job id
 */
public record Verdicts(IntMap<Verdict> byJob, Instant at, IntMap<Forecast> forecasts) {
  /** Before the first pass. */
  public static final Verdicts NONE = new Verdicts(IntMap.empty(), Instant.EPOCH, IntMap.empty());

  /** A pass without forecasts. */
  public Verdicts(IntMap<Verdict> byJob, Instant at) {
    this(byJob, at, IntMap.empty());
  }
}
