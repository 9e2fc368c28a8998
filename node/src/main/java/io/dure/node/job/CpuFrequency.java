package io.dure.node.job;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Sets the frequency of CPUs for a step, and sets it back when the step is over: what was there
 * before is kept in a file beside the step. Any thread; each step on CPUs of its own.
 */
final class CpuFrequency {
  private static final String GOVERNOR = "scaling_governor";
  private static final String SPEED = "scaling_setspeed";
  private static final String LEAST = "scaling_min_freq";
  private static final String MOST = "scaling_max_freq";
  private static final String SAVED = "cpu_frequency";

  private final Path cpus;

  /** The CPUs of a machine, {@code /sys/devices/system/cpu} except in tests. */
  CpuFrequency(Path cpus) {
    this.cpus = cpus;
  }

  /**
   * Sets the frequency.
   *
   * @param asked {@code P1[-P2[:P3]]} as {@code --cpu-freq} takes it, or a governor
   * @param allowed governors that may be asked for, in lower case
   * @param directory where the former values are kept
   * @return why some of it was not done, null if all was
   */
  @Nullable String set(
      String asked, List<String> allowed, Collection<Integer> numbers, Path directory) {
    Wish wish = Wish.of(asked.toLowerCase(Locale.ROOT));
    if (wish.governor() != null && !allowed.contains(wish.governor())) {
      return "CPU frequency governor " + wish.governor() + " is not among CpuFreqGovernors";
    }
    StringBuilder before = new StringBuilder();
    try {
      for (int number : numbers) {
        Path files = cpus.resolve("cpu" + number).resolve("cpufreq");
        if (!Files.isDirectory(files)) {
          return "CPU " + number + " has no frequency that could be set";
        }
        for (String file : List.of(GOVERNOR, LEAST, MOST)) {
          before.append(files.resolve(file)).append('=').append(read(files, file)).append('\n');
        }
      }
      Files.writeString(directory.resolve(SAVED), before);
      for (int number : numbers) {
        set(cpus.resolve("cpu" + number).resolve("cpufreq"), wish);
      }
      return null;
    } catch (IOException e) {
      return "CPU frequency cannot be set: " + e;
    }
  }

  private static void set(Path files, Wish wish) throws IOException {
    if (wish.most() != null) {
      write(files, LEAST, hertz(files, wish.least()));
      write(files, MOST, hertz(files, wish.most()));
    }
    if (wish.governor() != null) {
      write(files, GOVERNOR, wish.governor());
    } else if (wish.most() == null) {
      write(files, GOVERNOR, "userspace");
      write(files, SPEED, hertz(files, wish.least()));
    }
  }

  /** A word or a number as a frequency that the CPU has: the nearest that is not below it. */
  private static String hertz(Path files, String word) throws IOException {
    List<Long> available = new ArrayList<>();
    Path list = files.resolve("scaling_available_frequencies");
    if (Files.exists(list)) {
      Arrays.stream(Files.readString(list).strip().split("\\s+"))
          .map(Long::valueOf)
          .sorted()
          .forEach(available::add);
    } else {
      available.add(Long.valueOf(read(files, "cpuinfo_min_freq")));
      available.add(Long.valueOf(read(files, "cpuinfo_max_freq")));
    }
    int last = available.size() - 1;
    return switch (word) {
      case "low" -> available.getFirst().toString();
      case "medium" -> available.get(last / 2).toString();
      case "high" -> available.get(last).toString();
      case "highm1" -> available.get(Math.max(0, last - 1)).toString();
      default -> {
        long wanted = Long.parseLong(word);
        yield available.stream()
            .filter(one -> one >= wanted)
            .findFirst()
            .orElse(available.get(last))
            .toString();
      }
    };
  }

  /** Sets back what was changed for the step of that directory, if anything was. */
  void restore(Path directory) throws IOException {
    Path saved = directory.resolve(SAVED);
    if (!Files.exists(saved)) {
      return;
    }
    // The most first: the kernel takes no least above it.
    List<String> lines = new ArrayList<>(Files.readAllLines(saved).reversed());
    for (String line : lines) {
      int equals = line.lastIndexOf('=');
      Path file = Path.of(line.substring(0, equals));
      if (file.startsWith(cpus)) {
        Files.writeString(file, line.substring(equals + 1), StandardCharsets.US_ASCII);
      }
    }
    Files.delete(saved);
  }

  private static String read(Path directory, String file) throws IOException {
    return Files.readString(directory.resolve(file), StandardCharsets.US_ASCII).strip();
  }

  private static void write(Path directory, String file, String value) throws IOException {
    Files.writeString(directory.resolve(file), value + "\n", StandardCharsets.US_ASCII);
  }

  /**
   * What is asked for.
   *
   * @param least a frequency, or the least of a range; "" for a governor alone
   * @param most the most of a range, null for none
   * @param governor null for none
   */
  private record Wish(String least, @Nullable String most, @Nullable String governor) {
    static Wish of(String asked) {
      int colon = asked.indexOf(':');
      String range = colon < 0 ? asked : asked.substring(0, colon);
      boolean governor =
          !range.isEmpty()
              && !Character.isDigit(range.charAt(0))
              && !List.of("low", "medium", "high", "highm1").contains(range.replaceAll("-.*", ""));
      if (governor) {
        return new Wish("", null, range);
      }
      int dash = range.indexOf('-');
      return new Wish(
          dash < 0 ? range : range.substring(0, dash),
          dash < 0 ? null : range.substring(dash + 1),
          colon < 0 ? null : asked.substring(colon + 1));
    }
  }
}
