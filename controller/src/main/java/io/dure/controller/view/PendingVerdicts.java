package io.dure.controller.view;

import io.dure.model.collection.IntMap;
import io.dure.model.command.PendingVerdict;
import io.dure.model.forecast.JobStartForecast;
import java.time.Instant;

/**
 * What the scheduler's last pass found out.
 *
 * @param byJob verdicts by job id
 * @param at when it looked
 * @param forecasts when jobs are expected to start, as it was last worked out, by job id
 */
public record PendingVerdicts(
    IntMap<PendingVerdict> byJob, Instant at, IntMap<JobStartForecast> forecasts) {
  /** Before the first pass. */
  public static final PendingVerdicts NONE =
      new PendingVerdicts(IntMap.empty(), Instant.EPOCH, IntMap.empty());

  /** A pass without forecasts. */
  public PendingVerdicts(IntMap<PendingVerdict> byJob, Instant at) {
    this(byJob, at, IntMap.empty());
  }
}
