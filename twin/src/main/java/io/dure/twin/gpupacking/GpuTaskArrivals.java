package io.dure.twin.gpupacking;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Tasks in the order in which they arrive: those of a list, shuffled, and then as many drawn from
 * it again as it takes until they ask for a multiple of the cluster's GPUs; where the list asks for
 * more, as many are left out.
 */
record GpuTaskArrivals(List<GpuTask> tasks) {
  /**
   * Arrivals.
   *
   * @param arrived GPUs asked for, in parts of those that there are
   * @param seed of shuffling and drawing
   */
  static GpuTaskArrivals of(List<GpuTask> list, long capacityMilli, double arrived, long seed) {
    Random random = new Random(seed);
    List<GpuTask> known = new ArrayList<>(list);
    known.sort(Comparator.comparing(GpuTask::name));
    List<GpuTask> tasks = new ArrayList<>(known);
    Collections.shuffle(tasks, random);
    long asked = tasks.stream().mapToLong(task -> task.shape().gpuMilli()).sum();
    double target = arrived * capacityMilli;
    while (asked > target) {
      asked -= tasks.remove(random.nextInt(tasks.size())).shape().gpuMilli();
    }
    for (GpuTask task = draw(known, random);
        asked + task.shape().gpuMilli() <= target;
        task = draw(known, random)) {
      tasks.add(task);
      asked += task.shape().gpuMilli();
    }
    return new GpuTaskArrivals(List.copyOf(tasks));
  }

  private static GpuTask draw(List<GpuTask> known, Random random) {
    return known.get(random.nextInt(known.size()));
  }
}
