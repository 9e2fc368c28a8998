package io.dure.model.forecast;

/**
 * How long a job waits in futures that were imagined.
 *
 * @param low seconds that one in ten is below
 * @param middle seconds that half are below
 * @param high seconds that one in ten is above
 */
public record WaitQuantiles(long low, long middle, long high) {}
