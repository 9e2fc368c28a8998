package io.dure.node.usage;

import io.dure.host.gpu.GpuProcess;
import io.dure.protocol.step.GpuFigures;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the processes of the machine had of its GPUs at one look.
 *
 * @param byPid those that had anything
 */
record GpuLook(Map<Integer, GpuFigures> byPid) {
  private static final GpuFigures NOTHING = new GpuFigures(0, 0);

  static GpuLook of(List<GpuProcess> processes) {
    Map<Integer, GpuFigures> byPid = new TreeMap<>();
    for (GpuProcess process : processes) {
      GpuFigures one = new GpuFigures(process.percent(), process.memoryBytes());
      byPid.merge(process.pid(), one, GpuFigures::and);
    }
    return new GpuLook(byPid);
  }

  /** What these have together. */
  GpuFigures of(Collection<Integer> pids) {
    GpuFigures all = NOTHING;
    for (int pid : pids) {
      all = all.and(byPid.getOrDefault(pid, NOTHING));
    }
    return all;
  }
}
