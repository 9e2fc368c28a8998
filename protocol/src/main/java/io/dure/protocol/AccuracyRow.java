package io.dure.protocol;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How well forecasts have held that told about such a wait.
 *
 * @param until they told a wait of less than that; null for any longer one
 * @param jobs how many jobs started of which that was told, of the last ones
 * @param error by how much the middle of the forecast missed the start, on the mean
 * @param covered the part of them that started between its p10 and its p90, 0 to 1
 * @param limitsError by how much a plan from limits missed, on the mean; null for none
 */
public record AccuracyRow(
    @Nullable Duration until,
    long jobs,
    Duration error,
    double covered,
    @Nullable Duration limitsError) {}
