package io.dure.node.usage;

import io.dure.protocol.step.GpuFigures;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the tasks of a step used over time, as lines of comma-separated values: one for each task
 * and look, with what it used since the look before. Not for several threads.
 */
final class ProfileTable {
  /** The first line. */
  static final String HEADER =
      "EpochTime,ElapsedTime,Task,CPUFrequency,CPUTime,CPUUtilization,RSS,VMSize,Pages,ReadMB,"
          + "WriteMB,GPUMemMB,GPUUtilization\n";

  private static final double TICKS = 100;
  private static final double MICROS = 1_000_000;
  private static final double MEGABYTE = 1 << 20;
  private static final double PERCENT = 100;

  private final Map<Integer, Before> before = new TreeMap<>();

  private record Before(TaskPoint point, double elapsed) {}

  /**
   * The lines of a look.
   *
   * @param now when it was
   * @param uptime seconds since the machine was booted
   */
  String lines(List<TaskPoint> points, Instant now, double uptime) {
    StringBuilder lines = new StringBuilder();
    for (TaskPoint point : points) {
      double elapsed = Math.max(0, uptime - point.startTicks() / TICKS);
      Before last = before.put(point.rank(), new Before(point, elapsed));
      if (last == null) {
        last = new Before(new TaskPoint(point.rank(), 0, 0, 0, 0, 0, 0, 0, 0, null), 0);
      }
      lines.append(line(last, point, now, elapsed));
    }
    return lines.toString();
  }

  private static String line(Before last, TaskPoint now, Instant time, double elapsed) {
    TaskPoint then = last.point();
    double processor = (now.micros() - then.micros()) / MICROS;
    GpuFigures gpus = now.gpus();
    double passed = elapsed - last.elapsed();
    return String.format(
        Locale.ROOT,
        "%.3f,%.2f,%d,%d,%.2f,%.1f,%d,%d,%d,%.3f,%.3f,%d,%d%n",
        time.toEpochMilli() / 1000.0,
        elapsed,
        now.rank(),
        now.megahertz(),
        processor,
        passed > 0 ? processor / passed * PERCENT : 0,
        now.memory() >> 10,
        now.space() >> 10,
        now.faults() - then.faults(),
        (now.read() - then.read()) / MEGABYTE,
        (now.written() - then.written()) / MEGABYTE,
        gpus == null ? 0 : gpus.memoryBytes() >> 20,
        gpus == null ? 0 : gpus.percent());
  }
}
