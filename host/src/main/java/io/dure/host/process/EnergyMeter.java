package io.dure.host.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What this machine's processors take, by the counters that the kernel has of them (RAPL). It is
 * read only when it is asked for, and not more often than is wanted. For one thread.
 */
public final class EnergyMeter {
  private static final Watts NONE = new Watts(0, 0);

  private final Path counters;

  /** The counter of each package at the last reading. */
  private List<Long> counted = List.of();

  private long sum;
  private @Nullable Reading first;
  private @Nullable Reading last;
  private Watts told = NONE;

  /** A meter over a directory like {@code /sys/class/powercap}. */
  public EnergyMeter(Path counters) {
    this.counters = counters;
  }

  /** Power in watts: in the last interval, and since the meter began. */
  public record Watts(int current, int average) {}

  private record Reading(Instant at, long sum) {}

  /**
   * What the processors take.
   *
   * @param every how often to look, above zero
   * @return zeros where the machine does not tell, or not yet
   */
  public synchronized Watts watts(Instant now, Duration every) {
    Reading before = last;
    if (before != null && now.isBefore(before.at().plus(every))) {
      return told;
    }
    Reading reading = new Reading(now, microjoules());
    last = reading;
    Reading start = first;
    if (before == null || start == null) {
      first = reading;
      return told;
    }
    told = new Watts(watts(before, reading), watts(start, reading));
    return told;
  }

  private static int watts(Reading from, Reading to) {
    long micros = Duration.between(from.at(), to.at()).toNanos() / 1_000;
    return micros <= 0 ? 0 : (int) Math.round((double) (to.sum() - from.sum()) / micros);
  }

  /**
   * What the processors have taken since the meter began, which is to be asked more often than the
   * counters reach their end (some minutes); 0 where the machine does not tell.
   */
  public synchronized long microjoules() {
    try {
      List<Long> now = new ArrayList<>();
      long more = 0;
      for (Path zone : packages()) {
        long is = number(zone.resolve("energy_uj"));
        if (counted.size() > now.size()) {
          long was = counted.get(now.size());
          // The counter begins anew at its end.
          more += is >= was ? is - was : is + number(zone.resolve("max_energy_range_uj")) - was;
        }
        now.add(is);
      }
      counted = now;
      sum += more;
    } catch (IOException | NumberFormatException e) {
      counted = List.of();
    }
    return sum;
  }

  /** Whether the machine tells. */
  public synchronized boolean isReadable() {
    microjoules();
    return !counted.isEmpty();
  }

  private List<Path> packages() throws IOException {
    List<Path> packages = new ArrayList<>();
    try (DirectoryStream<Path> zones = Files.newDirectoryStream(counters, "*rapl:[0-9]*")) {
      for (Path zone : zones) {
        // The memory is no part of its package's counter, cores and the like are, and "psys" has
        // all. By "mmio" the same counters are read in another way.
        String name = Files.readString(zone.resolve("name")).strip();
        boolean isPart = name.startsWith("package") || name.equals("dram");
        if (isPart && !zone.getFileName().toString().contains("mmio")) {
          packages.add(zone);
        }
      }
    }
    packages.sort(null);
    return packages;
  }

  private static long number(Path file) throws IOException {
    return Long.parseLong(Files.readString(file).strip());
  }
}
