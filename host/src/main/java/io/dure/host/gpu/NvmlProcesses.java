package io.dure.host.gpu;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What processes have of NVIDIA's GPUs. One thread at a time. */
final class NvmlProcesses {
  private static final int ROOM = 1024;

  // nvmlProcessInfo_t: the pid, bytes of memory, the numbers of its MIG instance.
  private static final int INFO = 24;
  private static final int INFO_MEMORY = 8;

  // nvmlProcessUtilizationSample_t: the pid, a time in microseconds, percents of four kinds.
  private static final int SAMPLE = 32;
  private static final int SAMPLE_TIME = 8;
  private static final int SAMPLE_PERCENT = 16;

  private final NvmlLibrary nvml;

  /** The time of the newest sample of each GPU that was told, in its own microseconds. */
  private final Map<Integer, Long> told = new TreeMap<>();

  NvmlProcesses(NvmlLibrary nvml) {
    this.nvml = nvml;
  }

  /** On these GPUs, always the same in the same order. */
  List<GpuProcess> of(List<MemorySegment> gpus) {
    List<GpuProcess> found = new ArrayList<>();
    for (int i = 0; i < gpus.size(); i++) {
      addMemory(gpus.get(i), found);
      addUse(gpus.get(i), i, found);
    }
    return found;
  }

  private void addMemory(MemorySegment gpu, List<GpuProcess> found) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment list = local.allocate((long) INFO * ROOM, Long.BYTES);
      MemorySegment count = local.allocate(JAVA_INT);
      for (String call : List.of("_v3", "_v2")) {
        count.set(JAVA_INT, 0, ROOM);
        if (nvml.list("nvmlDeviceGetComputeRunningProcesses" + call, gpu, count, list)
            == NvmlLibrary.SUCCESS) {
          for (int i = 0; i < count.get(JAVA_INT, 0); i++) {
            long bytes = list.get(JAVA_LONG, (long) i * INFO + INFO_MEMORY);
            // Where it is not known, all bits are set.
            found.add(new GpuProcess(list.get(JAVA_INT, (long) i * INFO), 0, Math.max(0, bytes)));
          }
          return;
        }
      }
    }
  }

  private void addUse(MemorySegment gpu, int index, List<GpuProcess> found) {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment list = local.allocate((long) SAMPLE * ROOM, Long.BYTES);
      MemorySegment count = local.allocate(JAVA_INT);
      count.set(JAVA_INT, 0, ROOM);
      long newer = told.getOrDefault(index, 0L);
      // Without samples since then, and on a GPU that is cut into parts, it fails.
      if (nvml.list("nvmlDeviceGetProcessUtilization", gpu, list, count, newer)
          != NvmlLibrary.SUCCESS) {
        return;
      }
      Map<Integer, Integer> most = new TreeMap<>();
      for (int i = 0; i < count.get(JAVA_INT, 0); i++) {
        long at = (long) i * SAMPLE;
        long time = list.get(JAVA_LONG, at + SAMPLE_TIME);
        int pid = list.get(JAVA_INT, at);
        int percent = list.get(JAVA_INT, at + SAMPLE_PERCENT);
        // Drivers leave old samples and rubbish in the places that they do not fill.
        if (time > newer && pid > 0 && percent >= 0 && percent <= 100) {
          told.merge(index, time, Math::max);
          most.merge(pid, percent, Math::max);
        }
      }
      most.forEach((pid, percent) -> found.add(new GpuProcess(pid, percent, 0)));
    }
  }
}
