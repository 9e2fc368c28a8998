package io.dure.model.report;

import java.util.Comparator;

/**
 * What a task asks of one node.
 *
 * @param cpuMilli thousandths of CPUs
 * @param memoryMib memory, MiB
 * @param gpus how many GPUs, 0 for none
 * @param milli thousandths of each of these that it asks for, 1 to 1000; 0 where it asks for none
 * @param types the types of GPUs that will do, a bit for each type's number
 */
public record GpuTaskShape(long cpuMilli, long memoryMib, int gpus, int milli, long types) {
  /** A total order. */
  public static final Comparator<GpuTaskShape> ORDER =
      Comparator.comparingInt(GpuTaskShape::gpus)
          .thenComparingInt(GpuTaskShape::milli)
          .thenComparingLong(GpuTaskShape::cpuMilli)
          .thenComparingLong(GpuTaskShape::memoryMib)
          .thenComparingLong(GpuTaskShape::types);

  /** A GPU. */
  public static final int WHOLE = 1000;

  /** All types. */
  public static final long ANY_TYPE = -1L;

  /** Most types that can be told apart. */
  public static final int MOST_TYPES = Long.SIZE;

  /** Thousandths of GPUs in all. */
  public int gpuMilli() {
    return gpus * milli;
  }

  /** Whether it asks for a part of a GPU, which it shares. */
  public boolean isShared() {
    return gpus == 1 && milli < WHOLE;
  }

  /** Whether GPUs of that type will do. */
  public boolean takes(int type) {
    return (types >>> type & 1) != 0;
  }
}
