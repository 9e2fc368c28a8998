package io.dure.protocol;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a job that waits is expected to start.
 *
 * @param made when this was worked out
 * @param p10 by when it has started in one of ten cases
 * @param p50 by when it has started in half of them
 * @param p90 by when it has started in nine of ten
 * @param byLimits when it would start if all jobs ran as long as they may and none came, null where
 *     that is not known
 */
public record StartForecastInfo(
    Instant made, Instant p10, Instant p50, Instant p90, @Nullable Instant byLimits) {}
