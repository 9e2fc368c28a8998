package io.dure.model.forecast;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How true forecasts of one horizon were.
 *
 * @param upTo they had expected a wait of less than that; null for those of any length above
 * @param jobs of how many jobs
 * @param meanError seconds that p50 was off, in the mean
 * @param within what part started between p10 and p90
 * @param meanErrorByLimits seconds that the limits were off of those jobs of which they said
 *     something, null if there is none
 */
public record HorizonAccuracy(
    @Nullable Duration upTo,
    int jobs,
    double meanError,
    double within,
    @Nullable Double meanErrorByLimits) {}
