package io.dure.protocol.step;

/**
 * What a task has of GPUs, on all of them together.
 *
 * @param percent of the time how long something of it ran there: 200 for two busy GPUs
 * @param memoryBytes its memory there
 */
public record GpuFigures(long percent, long memoryBytes) {
  /** The larger of both amounts. */
  public GpuFigures most(GpuFigures other) {
    return new GpuFigures(
        Math.max(percent, other.percent), Math.max(memoryBytes, other.memoryBytes));
  }

  /** Both together. */
  public GpuFigures and(GpuFigures other) {
    return new GpuFigures(percent + other.percent, memoryBytes + other.memoryBytes);
  }
}
