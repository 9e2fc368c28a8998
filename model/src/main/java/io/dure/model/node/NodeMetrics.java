package io.dure.model.node;

import java.util.List;

/**
 * What changes from minute to minute on a node; told with each heartbeat and never stored.
 *
 * @param loadHundredths one minute load average times 100
 * @param freeMemoryMib free memory, MiB
 * @param currentWatts power that the processors take now, 0 where that is not measured
 * @param averageWatts the same since the daemon began
 * @param gpuHealth for each GPU that the node registered with, {@link NodeGpu#WELL}, what is wrong
 *     with it, or {@link NodeGpu#UNKNOWN}
 */
public record NodeMetrics(
    int loadHundredths,
    long freeMemoryMib,
    int currentWatts,
    int averageWatts,
    List<String> gpuHealth) {
  /** Of a node that measures no power, and whose GPUs no driver tells of. */
  public NodeMetrics(int loadHundredths, long freeMemoryMib) {
    this(loadHundredths, freeMemoryMib, 0, 0, List.of());
  }

  public NodeMetrics {
    gpuHealth = List.copyOf(gpuHealth);
  }
}
