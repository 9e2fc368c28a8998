package io.dure.node.job;

import io.dure.model.config.step.StepSettings;
import io.dure.model.config.step.StepSettings.MemoryWatch;
import io.dure.model.config.step.StepSettings.Source;
import io.dure.node.cgroup.StepCgroup;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How much memory a step has now, as {@code JobAcctGather*} says to measure it. Any thread. */
public final class StepMemory {
  private static final long PAGE = 4096;

  private final Path proc;

  /** What that directory tells, {@code /proc} except in tests. */
  public StepMemory(Path proc) {
    this.proc = proc;
  }

  /** The bytes of a step; processes that are gone have none. */
  public long bytes(MemoryWatch watch, StepCgroup group, List<Integer> processes) {
    if (watch.source() == Source.CGROUP && !group.directories().isEmpty()) {
      long told = group.memoryBytes();
      if (told > 0) {
        return told;
      }
    }
    long sum = 0;
    for (int pid : processes) {
      sum += bytes(watch.measure(), proc.resolve(Integer.toString(pid)));
    }
    return sum;
  }

  /** The bytes of the process with that directory in {@code /proc}; 0 if it is gone. */
  public static long bytes(StepSettings.Measure measure, Path process) {
    try {
      return switch (measure) {
        case RESIDENT -> pages(process, 1) * PAGE;
        case WITHOUT_SHARED -> (pages(process, 1) - pages(process, 2)) * PAGE;
        case PROPORTIONAL -> proportional(process);
      };
    } catch (IOException e) {
      return 0;
    }
  }

  private static long pages(Path process, int field) throws IOException {
    String text = Files.readString(process.resolve("statm"), StandardCharsets.US_ASCII);
    return Long.parseLong(text.strip().split(" ", -1)[field]);
  }

  private static long proportional(Path process) throws IOException {
    Path file = process.resolve("smaps_rollup");
    for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
      if (line.startsWith("Pss:")) {
        return Long.parseLong(line.substring(4).replace("kB", "").strip()) << 10;
      }
    }
    return 0;
  }
}
