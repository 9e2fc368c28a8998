package io.dure.model.forecast;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a job is expected to start.
 *
 * @param made when that was said
 * @param p10 it starts before that with a probability of one in ten
 * @param p50 as likely before as after
 * @param p90 it starts after that with a probability of one in ten
 * @param byLimits when it would start if every job ran to its limit and no other came; null where
 *     it would not
 * @param raw what was imagined, before it was held against what had come of earlier forecasts;
 *     seconds from the earliest start
 * @param earliest it certainly does not start before that: it may not begin, or what others have
 *     reserved is in its way; null if that is when this was said
 */
public record JobStartForecast(
    Instant made,
    Instant p10,
    Instant p50,
    Instant p90,
    @Nullable Instant byLimits,
    WaitQuantiles raw,
    @Nullable Instant earliest) {

  /** One of a job that may start at any time. */
  public JobStartForecast(
      Instant made,
      Instant p10,
      Instant p50,
      Instant p90,
      @Nullable Instant byLimits,
      WaitQuantiles raw) {
    this(made, p10, p50, p90, byLimits, raw, null);
  }

  /** From when on it is not certain how long it waits. */
  public Instant from() {
    return earliest == null ? made : earliest;
  }
}
