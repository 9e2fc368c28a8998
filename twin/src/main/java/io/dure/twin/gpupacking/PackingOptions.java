package io.dure.twin.gpupacking;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an experiment was asked for.
 *
 * @param nodes the list of nodes
 * @param tasks the list of tasks
 * @param arrived GPUs asked for in all, in parts of those that there are
 * @param mig whether GPUs are partitioned rather than shared
 */
record PackingOptions(
    Path nodes,
    Path tasks,
    double arrived,
    List<Long> seeds,
    List<GpuPlacementPolicy> placings,
    boolean mig,
    boolean json) {
  private static final Pattern SEEDS = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");
  private static final int MOST_SEEDS = 1000;
  private static final double ARRIVED = 1.3;

  /** As full as instances get: a little more is asked for than there is. */
  static final double OFFERED = 1.1;

  private static final double MOST_ARRIVED = 10;

  PackingOptions {
    seeds = List.copyOf(seeds);
    placings = List.copyOf(placings);
  }

  /** Says what is wrong with a call. */
  static final class PackingUsageException extends Exception {
    private static final long serialVersionUID = 1L;

    PackingUsageException(String message) {
      super(message);
    }

    String text() {
      return String.valueOf(getMessage());
    }
  }

  /** Arguments as they are read. */
  private static final class Read {
    private @Nullable Path nodes;
    private @Nullable Path tasks;
    private @Nullable Double arrived;
    private List<Long> seeds = LongStream.rangeClosed(42, 51).boxed().toList();
    private final List<GpuPlacementPolicy> placings = new ArrayList<>();

    private void set(String option, String value, Path directory) throws PackingUsageException {
      switch (option) {
        case "--gpu-nodes" -> nodes = directory.resolve(value);
        case "--gpu-tasks" -> tasks = directory.resolve(value);
        case "--arrived" -> arrived = arrived(value);
        case "--seeds" -> seeds = seeds(value);
        case "--placement" -> place(value);
        default ->
            throw new PackingUsageException(
                option
                    + " does not go with --gpu-nodes: what goes is --gpu-tasks, --arrived,"
                    + " --seeds, --placement, --mig, --json");
      }
    }

    private void place(String value) throws PackingUsageException {
      for (String word : value.split(",", -1)) {
        GpuPlacementPolicy found =
            Stream.of(GpuPlacementPolicy.values())
                .filter(one -> one.word().equals(word))
                .findFirst()
                .orElse(null);
        if (found == null) {
          throw new PackingUsageException(
              "--placement %s: there is %s only"
                  .formatted(
                      word,
                      String.join(
                          ", ",
                          Stream.of(GpuPlacementPolicy.values())
                              .map(GpuPlacementPolicy::word)
                              .toList())));
        }
        if (!placings.contains(found)) {
          placings.add(found);
        }
      }
    }
  }

  /**
   * Reads all arguments; files are named from the directory on.
   *
   * @throws PackingUsageException saying what is wrong
   */
  static PackingOptions read(List<String> arguments, Path directory) throws PackingUsageException {
    Read read = new Read();
    boolean json = false;
    boolean mig = false;
    for (int at = 0; at < arguments.size(); at++) {
      String word = arguments.get(at);
      int equals = word.startsWith("--") ? word.indexOf('=') : -1;
      if (word.equals("--json")) {
        json = true;
      } else if (word.equals("--mig")) {
        mig = true;
      } else if (equals >= 0) {
        read.set(word.substring(0, equals), word.substring(equals + 1), directory);
      } else if (at + 1 == arguments.size()) {
        throw new PackingUsageException("option " + word + " requires an argument");
      } else {
        read.set(word, arguments.get(++at), directory);
      }
    }
    Path nodes = read.nodes;
    Path tasks = read.tasks;
    if (nodes == null || tasks == null) {
      throw new PackingUsageException("name both lists: --gpu-nodes CSV --gpu-tasks CSV");
    }
    List<GpuPlacementPolicy> placings =
        read.placings.isEmpty() ? List.of(GpuPlacementPolicy.DURE) : read.placings;
    if (mig && placings.stream().anyMatch(one -> !one.placesMig())) {
      throw new PackingUsageException("--mig: there is --placement first-fit, best-fit, dure only");
    }
    double arrived = read.arrived != null ? read.arrived : mig ? OFFERED : ARRIVED;
    return new PackingOptions(nodes, tasks, arrived, read.seeds, placings, mig, json);
  }

  private static double arrived(String value) throws PackingUsageException {
    if (value.matches("[0-9]{1,3}(\\.[0-9]{1,6})?")) {
      double number = Double.parseDouble(value);
      if (number > 0 && number <= MOST_ARRIVED) {
        return number;
      }
    }
    throw new PackingUsageException(
        "--arrived " + value + ": give a number such as 1.3, at most 10");
  }

  private static List<Long> seeds(String value) throws PackingUsageException {
    List<Long> seeds = new ArrayList<>();
    for (String word : value.split(",", -1)) {
      Matcher matcher = SEEDS.matcher(word);
      if (!matcher.matches()) {
        throw new PackingUsageException(
            "--seeds " + value + ": give numbers, such as 42-51 or 1,2,3");
      }
      long first = Long.parseLong(matcher.group(1));
      long last = matcher.group(2) == null ? first : Long.parseLong(matcher.group(2));
      if (last < first || seeds.size() + last - first >= MOST_SEEDS) {
        throw new PackingUsageException(
            "--seeds " + value + ": give at most " + MOST_SEEDS + ", the lower first");
      }
      LongStream.rangeClosed(first, last).filter(one -> !seeds.contains(one)).forEach(seeds::add);
    }
    return seeds;
  }
}
