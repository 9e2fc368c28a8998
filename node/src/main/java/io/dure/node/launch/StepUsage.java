package io.dure.node.launch;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * When a step ran and what it used, all its processes together.
 *
 * @param start when the shepherd forked it
 * @param end when its script ended; leftover processes were killed after that
 * @param user processor time in user mode, to the microsecond
 * @param system processor time in the kernel
 * @param maxRssKib the largest resident set of any single process, in KiB
 * @param tasks its tasks that ended; of a batch step the script. Empty where there was no room to
 *     write that down
 */
public record StepUsage(
    Instant start,
    Instant end,
    Duration user,
    Duration system,
    long maxRssKib,
    List<EndedTask> tasks) {
  private static final String TASK = "task=";
  private static final int PARTS = 8;

  /**
   * What a task used, with those of its children that it waited for.
   *
   * @param rank its number in the step
   * @param cpuMicros processor time, microseconds
   * @param maxRssKib the most that one of these processes had resident, KiB
   * @param pages page faults that needed a disk
   * @param read bytes read
   * @param written bytes written
   */
  public record EndedTask(
      int rank, long cpuMicros, long maxRssKib, long pages, long read, long written) {}

  /** The tasks among the entries of an exit record. */
  static List<EndedTask> tasks(List<String> entries) throws IOException {
    List<EndedTask> tasks = new ArrayList<>();
    for (String entry : entries) {
      if (entry.startsWith(TASK)) {
        String[] parts = entry.substring(TASK.length()).split(":", -1);
        if (parts.length != PARTS) {
          throw new IOException("not a task: " + entry);
        }
        try {
          tasks.add(
              new EndedTask(
                  Integer.parseInt(parts[0]),
                  Long.parseLong(parts[2]) + Long.parseLong(parts[3]),
                  Long.parseLong(parts[4]),
                  Long.parseLong(parts[5]),
                  Long.parseLong(parts[6]),
                  Long.parseLong(parts[7])));
        } catch (NumberFormatException e) {
          throw new IOException("not a task: " + entry, e);
        }
      }
    }
    return List.copyOf(tasks);
  }

  static Duration micros(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }
}
