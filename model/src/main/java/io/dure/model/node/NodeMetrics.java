package io.dure.model.node;

/**
 * What changes from minute to minute on a node; told with each heartbeat and never stored.
 *
 * @param loadHundredths one minute load average times 100
 * @param freeMemoryMib free memory, MiB
 * @param currentWatts power that the processors take now, 0 where that is not measured
 * @param averageWatts the same since the daemon began
 */
public record NodeMetrics(
    int loadHundredths, long freeMemoryMib, int currentWatts, int averageWatts) {
  /** Of a node that measures no power. */
  public NodeMetrics(int loadHundredths, long freeMemoryMib) {
    this(loadHundredths, freeMemoryMib, 0, 0);
  }
}
