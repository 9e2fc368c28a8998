package io.dure.twin.nodefailure;

import java.time.Duration;

/**
 * How nodes fail: each on its own, after times that are exponentially distributed.
 *
 * @param meanUptime mean time from a repair to the next failure
 * @param meanRepair mean time from a failure to its repair
 * @param seed the same seed gives the same failures
 */
public record NodeFailureModel(Duration meanUptime, Duration meanRepair, long seed) {}
