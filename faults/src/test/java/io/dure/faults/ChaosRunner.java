package io.dure.faults;

import io.dure.faults.plantedbugs.PlantedBug;
import io.dure.faults.scenario.FaultScenario;
import io.dure.faults.shrink.ScenarioShrinker;
import io.dure.faults.world.FaultHooks;
import io.dure.faults.world.PromiseViolation;
import io.dure.faults.world.SimulatedWorld;
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
final class ChaosRunner {
  private static final Duration SHRINKING = Duration.ofSeconds(60);
  private static final long PROGRESS_NANOS = 10_000_000_000L;
  private static final int MOST_LINES = 150;
  private static final int MUTATION_SEEDS = 1000;

  private final ChaosOptions options;
  private final PrintStream out;
  private final Map<String, Integer> counts = new TreeMap<>();
  private final long began = System.nanoTime();
  private double virtualSeconds;
  private long jobs;
  private long runs;
  private long worlds;
  private int violations;
  private long hash;

  ChaosRunner(ChaosOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  private FaultScenario scenario(long seed) {
    return FaultScenario.of(seed, options.nodes(), options.controllers(), options.millis());
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
    ArrayDeque<Future<SimulatedWorld.Outcome>> running = new ArrayDeque<>();
    for (long seed = options.seed(); seed < end; seed++) {
      while (next < end && running.size() < 4 * options.threads()) {
        FaultScenario scenario = scenario(next++);
        running.add(threads.submit(() -> SimulatedWorld.run(scenario, FaultHooks.SOUND, false)));
      }
      SimulatedWorld.Outcome outcome = result(running.remove());
      add(outcome);
      PromiseViolation violation = outcome.violation();
      if (violation != null) {
        violations++;
        tell(seed, violation, () -> FaultHooks.SOUND);
      }
      if (System.nanoTime() - told > PROGRESS_NANOS) {
        told = System.nanoTime();
        out.println("chaos: " + worlds + " of " + options.seeds() + " seeds, " + speed());
      }
    }
  }

  private static SimulatedWorld.Outcome result(Future<SimulatedWorld.Outcome> world)
      throws InterruptedException {
    try {
      return world.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the simulator itself failed", e.getCause());
    }
  }

  private void add(SimulatedWorld.Outcome outcome) {
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

  private void tell(long seed, PromiseViolation violation, Supplier<FaultHooks> wiring) {
    out.println();
    out.println("VIOLATION with seed " + seed + ": " + violation.promise());
    out.println("  " + violation.text());
    ScenarioShrinker.Shrunk shrunk =
        ScenarioShrinker.shrink(scenario(seed), wiring, violation, SHRINKING);
    SimulatedWorld.Outcome story = SimulatedWorld.run(shrunk.scenario(), wiring.get(), true);
    List<String> lines = story.history();
    out.println(
        "shortened to %s acts in %s worlds:"
            .formatted(shrunk.scenario().acts().size(), shrunk.runs()));
    int from = Math.max(0, lines.size() - MOST_LINES);
    if (from > 0) {
      out.println("  ... " + from + " lines before");
    }
    lines.subList(from, lines.size()).forEach(line -> out.println("  " + line));
    out.println(
        "again: ./dure chaos --seed %s --seeds 1 --nodes %s --controllers %s --hours %s"
            .formatted(
                seed,
                options.nodes(),
                shrunk.scenario().controllers(),
                options.millis() / 3_600_000.0));
    out.println();
  }

  /** Plants one bug after the other; how many were not found. */
  int mutations() {
    int missed = 0;
    for (PlantedBug mutation : PlantedBug.values()) {
      PromiseViolation found = null;
      long seed = options.seed();
      while (found == null && seed < options.seed() + MUTATION_SEEDS) {
        found = SimulatedWorld.run(scenario(seed++), mutation.wiring(), false).violation();
      }
      long tried = seed - options.seed();
      if (found == null) {
        missed++;
        out.println("NOT FOUND " + mutation + " (" + mutation.words() + ") in " + tried + " seeds");
      } else {
        out.println(
            "found %s (%s) with seed %s, the %s.: %s"
                .formatted(mutation, mutation.words(), seed - 1, tried, found.promise()));
        if (options.stories()) {
          tell(seed - 1, found, mutation::wiring);
        }
      }
    }
    return missed;
  }
}
