package io.dure.bench.accounting;

import io.dure.testkit.database.DatabaseServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Processor time and memory of this process, and of the database's server if it has one: on a
 * machine that does other things as well, a rate says less than what a job costs.
 */
final class MachineUse {
  private final @Nullable DatabaseServer server;

  MachineUse(@Nullable DatabaseServer server) {
    this.server = server;
    ManagementFactory.getMemoryPoolMXBeans().forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  /** How many threads wanted to run in the last minute. */
  static String load() {
    return String.format(
        Locale.ROOT,
        "load %.1f on %d processors",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.getRuntime().availableProcessors());
  }

  /** Processor time of this process until now, and of the server's. */
  Times processorTimes() {
    Duration all = Duration.ZERO;
    for (ProcessHandle one : server == null ? List.<ProcessHandle>of() : server.processes()) {
      all = all.plus(ofProcess(one));
    }
    return new Times(ofProcess(ProcessHandle.current()), all);
  }

  /** Of both sides. */
  record Times(Duration own, Duration servers) {
    static final Times NONE = new Times(Duration.ZERO, Duration.ZERO);

    Times plus(Times more) {
      return new Times(own.plus(more.own), servers.plus(more.servers));
    }

    Times minus(Times less) {
      return new Times(own.minus(less.own), servers.minus(less.servers));
    }
  }

  private static Duration ofProcess(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** The most memory that it had until now. */
  String memory() {
    long heap =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == java.lang.management.MemoryType.HEAP)
            .mapToLong(pool -> pool.getPeakUsage().getUsed())
            .sum();
    String text =
        String.format(
            Locale.ROOT,
            "memory at most: heap %,d MB, this process %,d MB",
            heap >> 20,
            residentMib(ProcessHandle.current().pid()));
    return server == null
        ? text
        : text
            + String.format(
                Locale.ROOT,
                ", the server's largest process %,d MB",
                server.processes().stream()
                    .mapToLong(one -> residentMib(one.pid()))
                    .max()
                    .orElse(0));
  }

  private static long residentMib(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
