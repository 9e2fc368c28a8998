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
  private @Nullable Reading first;
  private @Nullable Reading last;
  private Watts told = NONE;

  /** A meter over a directory like {@code /sys/class/powercap}. */
  public EnergyMeter(Path counters) {
    this.counters = counters;
  }

  /** Power in watts: in the last interval, and since the meter began. */
  public record Watts(int current, int average) {}

  private record Reading(Instant at, List<Long> micros, long sum) {}

  /**
   * What the processors take.
   *
   * @param every how often to look, above zero
   * @return zeros where the machine does not tell, or not yet
   */
  public Watts watts(Instant now, Duration every) {
    Reading before = last;
    if (before != null && now.isBefore(before.at().plus(every))) {
      return told;
    }
    Reading reading = read(now, before);
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

  private Reading read(Instant now, @Nullable Reading before) {
    List<Long> micros = new ArrayList<>();
    long sum = before == null ? 0 : before.sum();
    try (DirectoryStream<Path> zones = Files.newDirectoryStream(counters, "*rapl:[0-9]*")) {
      List<Path> packages = new ArrayList<>();
      for (Path zone : zones) {
        String name = String.valueOf(zone.getFileName());
        // Zones with two numbers are parts of the others.
        if (name.indexOf(':') == name.lastIndexOf(':')) {
          packages.add(zone);
        }
      }
      packages.sort(null);
      for (Path zone : packages) {
        long is = number(zone.resolve("energy_uj"));
        if (before != null && before.micros().size() > micros.size()) {
          long was = before.micros().get(micros.size());
          // The counter begins anew at its end.
          sum += is >= was ? is - was : is + number(zone.resolve("max_energy_range_uj")) - was;
        }
        micros.add(is);
      }
    } catch (IOException | NumberFormatException e) {
      return new Reading(now, List.of(), sum);
    }
    return new Reading(now, micros, sum);
  }

  private static long number(Path file) throws IOException {
    return Long.parseLong(Files.readString(file).strip());
  }
}
