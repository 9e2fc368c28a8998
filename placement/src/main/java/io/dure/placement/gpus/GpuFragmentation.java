package io.dure.placement.gpus;

import io.dure.model.report.GpuTaskShape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How much of a node's free GPUs is of no use to the popular shapes, on the mean over these. Of use
 * to a shape are the GPUs that have enough free for it, as many as the node's CPUs and memory can
 * feed; nothing is if the node has no room for one.
 *
 * <p>The measure of "Beware of Fragmentation: Scheduling GPU-Sharing Workloads with Fragmentation
 * Gradient Descent" (Weng et al., USENIX ATC 2023), but for what feeds the GPUs: there, a node that
 * has CPUs for one task more counts as if it could use all of its GPUs.
 */
final class GpuFragmentation {
  private final OfType[] types;

  /** The shapes that a type of GPU may host, in order of the part of a GPU that they ask for. */
  private static final class OfType {
    final Need[] needs;

    /** Parts of GPUs asked for, rising, and where the shapes that ask for each end. */
    final int[] milli;

    final int[] end;

    /** How much of all is asked for in other types, or without GPUs. */
    final double elsewhere;

    OfType(PopularGpuShapes popular, int type) {
      List<Need> hosted = new ArrayList<>();
      double others = 0;
      for (PopularGpuShapes.Weighted one : popular.shapes()) {
        if (one.shape().gpus() > 0 && one.shape().takes(type)) {
          hosted.add(new Need(one.shape(), one.weight()));
        } else {
          others += one.weight();
        }
      }
      hosted.sort(Comparator.comparingInt(one -> one.shape.milli()));
      needs = hosted.toArray(Need[]::new);
      elsewhere = others;
      milli = hosted.stream().mapToInt(one -> one.shape.milli()).distinct().toArray();
      end = new int[milli.length];
      int group = 0;
      for (int i = 0; i < needs.length; i++) {
        group += needs[i].shape.milli() > milli[group] ? 1 : 0;
        end[group] = i + 1;
      }
    }
  }

  /** A shape, made ready to be asked often. */
  private static final class Need {
    final GpuTaskShape shape;
    final double weight;
    private final long cpuMilli;
    private final long memoryMib;
    private final int gpus;
    private final double byCpu;
    private final double byMemory;

    Need(GpuTaskShape shape, double weight) {
      this.shape = shape;
      this.weight = weight;
      cpuMilli = shape.cpuMilli();
      memoryMib = shape.memoryMib();
      gpus = shape.gpus();
      byCpu = cpuMilli == 0 ? 0 : (double) shape.gpuMilli() / cpuMilli;
      byMemory = memoryMib == 0 ? 0 : (double) shape.gpuMilli() / memoryMib;
    }

    /** Thousandths of GPUs that are of use to it, of those that are big enough. */
    double usable(long freeCpuMilli, long freeMemoryMib, int enough, int big) {
      if (gpus > enough || cpuMilli > freeCpuMilli || memoryMib > freeMemoryMib) {
        return 0;
      }
      double fed = cpuMilli == 0 ? big : Math.min(big, freeCpuMilli * byCpu);
      return memoryMib == 0 ? fed : Math.min(fed, freeMemoryMib * byMemory);
    }
  }

  GpuFragmentation(PopularGpuShapes popular, int typeCount) {
    types = new OfType[typeCount];
    for (int type = 0; type < typeCount; type++) {
      types[type] = new OfType(popular, type);
    }
  }

  /** Thousandths of a node's GPUs. */
  double of(GpuNode node) {
    int[] left = new int[node.gpus()];
    node.copyLeft(left);
    return of(node.type(), node.cpuMilli(), node.memoryMib(), left, left.length);
  }

  /**
   * Thousandths of GPUs.
   *
   * @param left free parts of the GPUs
   * @param gpus how many GPUs there are
   */
  double of(int type, long cpuMilli, long memoryMib, int[] left, int gpus) {
    int total = 0;
    for (int i = 0; i < gpus; i++) {
      total += left[i];
    }
    if (total == 0) {
      return 0;
    }
    OfType of = types[type];
    double useless = of.elsewhere * total;
    int at = 0;
    for (int group = 0; group < of.milli.length; group++) {
      int enough = 0;
      int big = 0;
      for (int i = 0; i < gpus; i++) {
        boolean suffices = left[i] >= of.milli[group];
        enough += suffices ? 1 : 0;
        big += suffices ? left[i] : 0;
      }
      for (; at < of.end[group]; at++) {
        Need need = of.needs[at];
        useless += need.weight * (total - need.usable(cpuMilli, memoryMib, enough, big));
      }
    }
    return useless;
  }
}
