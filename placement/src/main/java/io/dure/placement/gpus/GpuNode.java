package io.dure.placement.gpus;

import io.dure.model.report.GpuTaskShape;
import java.util.Arrays;

/** What is free of one node's CPUs, memory and GPUs. One thread. */
public final class GpuNode {
  private final int type;
  private long cpuMilli;
  private long memoryMib;
  private final int[] left;
  private int gpuMilli;
  private int version;

  /**
   * A node with nothing on it.
   *
   * @param type the number of its GPUs' type, 0 to 63
   * @param gpus how many GPUs it has
   */
  public GpuNode(int type, long cpuMilli, long memoryMib, int gpus) {
    this.type = type;
    this.cpuMilli = cpuMilli;
    this.memoryMib = memoryMib;
    left = new int[gpus];
    Arrays.fill(left, GpuTaskShape.WHOLE);
    gpuMilli = gpus * GpuTaskShape.WHOLE;
  }

  /**
   * A node as it is.
   *
   * @param left thousandths that are free of each of its GPUs
   */
  public GpuNode(int type, long cpuMilli, long memoryMib, int[] left) {
    this.type = type;
    this.cpuMilli = cpuMilli;
    this.memoryMib = memoryMib;
    this.left = left.clone();
    for (int one : left) {
      gpuMilli += one;
    }
  }

  /** Whether as much is free of as many GPUs of the same type. */
  boolean isLike(GpuNode other) {
    return type == other.type
        && cpuMilli == other.cpuMilli
        && memoryMib == other.memoryMib
        && Arrays.equals(left, other.left);
  }

  /** The number of its GPUs' type. */
  public int type() {
    return type;
  }

  /** How many GPUs it has. */
  public int gpus() {
    return left.length;
  }

  /** Thousandths of CPUs that are free. */
  public long cpuMilli() {
    return cpuMilli;
  }

  /** Memory that is free, MiB. */
  public long memoryMib() {
    return memoryMib;
  }

  /** Thousandths of GPUs that are free, on all of them together. */
  public int gpuMilli() {
    return gpuMilli;
  }

  /** Thousandths that are free of one GPU. */
  public int left(int gpu) {
    return left[gpu];
  }

  /** Whether nothing of its GPUs is taken. */
  public boolean isWhole() {
    return gpuMilli == left.length * GpuTaskShape.WHOLE;
  }

  /** Counts its changes. */
  int version() {
    return version;
  }

  /** How many GPUs have so much free. */
  public int having(int milli) {
    int count = 0;
    for (int one : left) {
      count += one >= milli ? 1 : 0;
    }
    return count;
  }

  /** Whether there is room for it. */
  public boolean hosts(GpuTaskShape shape) {
    return shape.cpuMilli() <= cpuMilli
        && shape.memoryMib() <= memoryMib
        && (shape.gpus() == 0
            || shape.takes(type)
                && shape.gpuMilli() <= gpuMilli
                && shape.gpus() <= having(shape.milli()));
  }

  /**
   * Gives a task its room, which there must be.
   *
   * @param gpu the GPU that it shares, passed over where it shares none: it gets those that have
   *     least to spare
   */
  public void take(GpuTaskShape shape, int gpu) {
    if (shape.isShared()) {
      left[gpu] -= shape.milli();
    } else {
      takeTightest(left, shape);
    }
    cpuMilli -= shape.cpuMilli();
    memoryMib -= shape.memoryMib();
    gpuMilli -= shape.gpuMilli();
    version++;
  }

  /** Takes a task's part of as many different GPUs as it asks for. */
  static void takeTightest(int[] left, GpuTaskShape shape) {
    boolean[] taken = new boolean[left.length];
    for (int count = 0; count < shape.gpus(); count++) {
      int best = -1;
      for (int i = 0; i < left.length; i++) {
        if (!taken[i] && left[i] >= shape.milli() && (best < 0 || left[i] < left[best])) {
          best = i;
        }
      }
      taken[best] = true;
      left[best] -= shape.milli();
    }
  }

  /** The free parts of its GPUs, rising. */
  int[] sorted() {
    int[] sorted = left.clone();
    Arrays.sort(sorted);
    return sorted;
  }

  /** The free parts of its GPUs, into an array that is long enough. */
  void copyLeft(int[] to) {
    System.arraycopy(left, 0, to, 0, left.length);
  }
}
