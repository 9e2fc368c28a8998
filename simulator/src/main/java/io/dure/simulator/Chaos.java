package io.dure.simulator;

import io.dure.simulator.mutation.Mutation;
import io.dure.simulator.scenario.Scenario;
import io.dure.simulator.shrink.Shrinker;
import io.dure.simulator.world.Violation;
import io.dure.simulator.world.Wiring;
import io.dure.simulator.world.World;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Runs worlds, one seed after the other, and tells what came of them. */
final class Chaos {
  private static final Duration SHRINKING = Duration.ofSeconds(60);
  private static final long PROGRESS_NANOS = 10_000_000_000L;
  private static final int MOST_LINES = 150;
  private static final int MUTATION_SEEDS = 1000;

  private final Options options;
  private final PrintStream out;
  private final Map<String, Integer> counts = new TreeMap<>();
  private final long began = System.nanoTime();
  private double virtualSeconds;
  private long jobs;
  private long runs;
  private long worlds;
  private int violations;
  private long hash;

  Chaos(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  private Scenario scenario(long seed) {
    return Scenario.of(seed, options.nodes(), options.controllers(), options.millis());
  }

  /** Runs all seeds; the number of those that broke a promise. */
  int run() {
    out.println(
        "chaos: seeds "
            + options.seed()
            + " to "
            + (options.seed() + options.seeds() - 1)
            + ", "
            + options.millis() / 1000
            + " virtual seconds of faults each, "
            + options.nodes()
            + " nodes, "
            + (options.controllers() == 0 ? "1, 3 or 5" : "" + options.controllers())
            + " controllers");
    ExecutorService threads = Executors.newFixedThreadPool(options.threads());
    try {
      runAll(threads);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      threads.shutdownNow();
    }
    summary();
    return violations;
  }

  /** Worlds live side by side; what came of them is told in the order of their seeds. */
  private void runAll(ExecutorService threads) throws InterruptedException {
    long told = began;
    long next = options.seed();
    long end = options.seed() + options.seeds();
    ArrayDeque<Future<World.Outcome>> running = new ArrayDeque<>();
    for (long seed = options.seed(); seed < end; seed++) {
      while (next < end && running.size() < 4 * options.threads()) {
        Scenario scenario = scenario(next++);
        running.add(threads.submit(() -> World.run(scenario, Wiring.SOUND, false)));
      }
      World.Outcome outcome = result(running.remove());
      add(outcome);
      Violation violation = outcome.violation();
      if (violation != null) {
        violations++;
        tell(seed, violation, () -> Wiring.SOUND);
      }
      if (System.nanoTime() - told > PROGRESS_NANOS) {
        told = System.nanoTime();
        out.println("chaos: " + worlds + " of " + options.seeds() + " seeds, " + speed());
      }
    }
  }

  private static World.Outcome result(Future<World.Outcome> world) throws InterruptedException {
    try {
      return world.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the simulator itself failed", e.getCause());
    }
  }

  private void add(World.Outcome outcome) {
    worlds++;
    virtualSeconds += outcome.virtualMicros() / 1e6;
    jobs += outcome.jobs();
    runs += outcome.runs();
    hash = hash * 31 + outcome.hash();
    outcome.counts().forEach((what, count) -> counts.merge(what, count, Integer::sum));
  }

  private String speed() {
    double real = (System.nanoTime() - began) / 1e9;
    return String.format(
        Locale.ROOT,
        "%.0f virtual seconds in %.1f s: %.0f in one; %d violations",
        virtualSeconds,
        real,
        virtualSeconds / real,
        violations);
  }

  private void summary() {
    out.println("chaos: " + speed());
    out.println("chaos: " + jobs + " acknowledged submissions, " + runs + " runs on nodes");
    counts.forEach((what, count) -> out.printf(Locale.ROOT, "  %-20s %d%n", what, count));
    out.println("chaos: hash " + Long.toHexString(hash));
  }

  private void tell(long seed, Violation violation, Supplier<Wiring> wiring) {
    out.println();
    out.println("VIOLATION with seed " + seed + ": " + violation.promise());
    out.println("  " + violation.text());
    Shrinker.Shrunk shrunk = Shrinker.shrink(scenario(seed), wiring, violation, SHRINKING);
    World.Outcome story = World.run(shrunk.scenario(), wiring.get(), true);
    List<String> lines = story.history();
    out.println(
        "shortened to "
            + shrunk.scenario().acts().size()
            + " acts in "
            + shrunk.runs()
            + " worlds:");
    int from = Math.max(0, lines.size() - MOST_LINES);
    if (from > 0) {
      out.println("  ... " + from + " lines before");
    }
    lines.subList(from, lines.size()).forEach(line -> out.println("  " + line));
    out.println(
        "again: ./dure chaos --seed "
            + seed
            + " --seeds 1 --nodes "
            + options.nodes()
            + " --controllers "
            + shrunk.scenario().controllers()
            + " --hours "
            + options.millis() / 3_600_000.0);
    out.println();
  }

  /** Plants one bug after the other; how many were not found. */
  int mutations() {
    int missed = 0;
    for (Mutation mutation : Mutation.values()) {
      Violation found = null;
      long seed = options.seed();
      while (found == null && seed < options.seed() + MUTATION_SEEDS) {
        found = World.run(scenario(seed++), mutation.wiring(), false).violation();
      }
      long tried = seed - options.seed();
      if (found == null) {
        missed++;
        out.println("NOT FOUND " + mutation + " (" + mutation.words() + ") in " + tried + " seeds");
      } else {
        out.println(
            "found "
                + mutation
                + " ("
                + mutation.words()
                + ") with seed "
                + (seed - 1)
                + ", the "
                + tried
                + ".: "
                + found.promise());
        if (options.stories()) {
          tell(seed - 1, found, mutation::wiring);
        }
      }
    }
    return missed;
  }
}
