package io.dure.node.job;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How many processes and threads a job may have on this node, so that none can take all that the
 * kernel allows.
 *
 * @param machine how many the kernel allows on the machine
 */
record ProcessBound(long machine) {
  private static final Path KERNEL = Path.of("/proc/sys/kernel");

  /** However few CPUs a job has, its programs need some threads. */
  private static final long LEAST = 1024;

  /** That of this machine; no bound where the kernel does not tell. */
  static ProcessBound ofThisMachine() {
    return new ProcessBound(Math.min(number("pid_max"), number("threads-max")));
  }

  private static long number(String file) {
    try {
      Path path = KERNEL.resolve(file);
      return Long.parseLong(Files.readString(path, StandardCharsets.US_ASCII).strip());
    } catch (IOException | NumberFormatException _) {
      return Long.MAX_VALUE;
    }
  }

  /**
   * The bound of a job with so many of the node's CPUs; null for none.
   *
   * @param configured the number in the configuration, {@link Integer#MAX_VALUE} for no bound, null
   *     for the job's part of nine tenths of what the kernel allows
   */
  @Nullable Long of(@Nullable Integer configured, int cpus, int nodeCpus) {
    if (configured != null) {
      return configured == Integer.MAX_VALUE ? null : Long.valueOf(configured);
    }
    if (machine == Long.MAX_VALUE) {
      return null;
    }
    long mine = Math.max(1, Math.min(cpus, nodeCpus));
    return Math.max(LEAST, machine / 10 * 9 * mine / Math.max(1, nodeCpus));
  }
}
