package io.dure.model.forecast;

import org.jspecify.annotations.Nullable;

/**
 * What came of a forecast; seconds from the first in which the job could have started, as far as
 * was known.
 *
 * @param raw what had been imagined
 * @param p10 what had been said
 * @param p50 what had been said
 * @param p90 what had been said
 * @param byLimits what the limits said, null for nothing
 * @param waited what it was
 */
public record ForecastOutcome(
    WaitQuantiles raw, long p10, long p50, long p90, @Nullable Long byLimits, long waited) {}
