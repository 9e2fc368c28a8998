package io.dure.model.node;

/**
 * What changes from minute to minute on a node; told with each heartbeat and never stored.
 *
 * @param loadHundredths one minute load average times 100
 * @param freeMemoryMib free memory, MiB
 */
public record NodeMetrics(int loadHundredths, long freeMemoryMib) {}
