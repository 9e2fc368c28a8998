package io.dure.twin.gpupacking;

import io.dure.model.report.GpuTaskShape;
import io.dure.placement.gpus.GpuNode;
import io.dure.placement.gpus.GpuPool;
import java.util.List;
import java.util.function.LongSupplier;

/** Places tasks one by one; none leaves, and one that fits nowhere is dropped. */
final class GpuPacking {
  private final GpuCluster cluster;
  private final List<GpuTask> list;
  private final double arrived;
  private final LongSupplier nanos;

  /**
   * What came of one seed.
   *
   * @param atCapacity per cent of the GPUs that were allocated when as many had been asked for as
   *     there are; those at the end where it did not come to that
   * @param atEnd per cent that were allocated at the end
   * @param placed tasks that found a place
   * @param dropped tasks that found none
   */
  record Result(
      long seed, double atCapacity, double atEnd, int placed, int dropped, double wallSeconds) {
    double decisionsPerSecond() {
      return (placed + dropped) / Math.max(1e-9, wallSeconds);
    }
  }

  /**
   * An experiment.
   *
   * @param list of which the tasks are drawn; what is popular in it is known
   * @param arrived GPUs asked for in all, in parts of those that there are
   * @param nanos a clock that only runs forward, in nanoseconds
   */
  GpuPacking(GpuCluster cluster, List<GpuTask> list, double arrived, LongSupplier nanos) {
    this.cluster = cluster;
    this.list = List.copyOf(list);
    this.arrived = arrived;
    this.nanos = nanos;
  }

  Result run(GpuPlacementPolicy placing, long seed) {
    long capacity = cluster.capacityMilli();
    GpuTaskArrivals arrivals = GpuTaskArrivals.of(list, capacity, arrived, seed);
    List<GpuNode> nodes = cluster.empty();
    GpuPlacementPolicy.GpuPlacer chooser = placing.chooser(cluster, nodes, list, seed);
    long began = nanos.getAsLong();
    long asked = 0;
    long given = 0;
    int placed = 0;
    double atCapacity = Double.NaN;
    for (GpuTask task : arrivals.tasks()) {
      GpuTaskShape shape = task.shape();
      asked += shape.gpuMilli();
      GpuPool.Chosen chosen = chooser.choose(shape);
      if (chosen != null) {
        nodes.get(chosen.node()).take(shape, chosen.gpu());
        given += shape.gpuMilli();
        placed++;
      }
      if (Double.isNaN(atCapacity) && asked >= capacity) {
        atCapacity = 100.0 * given / capacity;
      }
    }
    double atEnd = 100.0 * given / capacity;
    return new Result(
        seed,
        Double.isNaN(atCapacity) ? atEnd : atCapacity,
        atEnd,
        placed,
        arrivals.tasks().size() - placed,
        (nanos.getAsLong() - began) / 1e9);
  }
}
