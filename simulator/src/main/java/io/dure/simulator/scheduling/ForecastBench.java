package io.dure.simulator.scheduling;

import io.dure.controller.ForetellerMain;
import io.dure.controller.loop.ForecastProcess;
import io.dure.controller.loop.Foresight;
import io.dure.core.controller.ClusterState;
import io.dure.core.scheduler.Plan;
import io.dure.core.scheduler.plan.Planner;
import io.dure.core.scheduler.plan.TaskGate;
import io.dure.host.log.Log;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What a controller's loop and scheduler feel of forecasts that are kept of all that wait: under
 * the same load the process that makes them runs and stands still in turns.
 */
final class ForecastBench {
  private static final double[] SHARES = {0.5, 0.95, 0.99};

  private static final double MOST_RATIO = 1.1;

  private static final double MIDDLE = 0.5;

  private static final double MOST_SECONDS = 30;
  private static final int WARM_LOOKS = 2;
  private static final int LOOKS = 2;
  private static final long BEFORE_RUSH_MILLIS = 300;

  private final PrintStream out;
  private final Map<String, Integer> values;
  private final BenchCluster cluster;

  ForecastBench(PrintStream out, Map<String, Integer> values) throws IOException {
    this.out = out;
    this.values = values;
    cluster = full();
  }

  private int value(String name) {
    return values.getOrDefault(name, 1);
  }

  private Turns.Mover mover() {
    return switch (value("CONTROL")) {
      case 0 -> Turns.Mover.CHILDREN;
      case 1 -> Turns.Mover.NOTHING;
      default -> Turns.Mover.LOOP;
    };
  }

  /** Whether nothing slows down, and a look is had in time. */
  boolean run() throws IOException, InterruptedException {
    out.printf(
        Locale.ROOT,
        "%d nodes, %d jobs wait, %d submissions a second; milliseconds, submissions a second of %d"
            + " at once%n",
        value("NODES"),
        value("JOBS"),
        value("RATE"),
        value("SUBMISSIONS"));
    Turns turns = new Turns(value("SEED"), mover());
    Measured measured;
    Timings passes;
    try (Looks looks = new Looks(turns);
        LiveLoop live = new LiveLoop(cluster, looks.kept())) {
      passes = live.passes();
      measured = measure(looks, turns, new LiveSubmissions(cluster, live.loop()));
    }
    return verdict(measured, passes);
  }

  /**
   * What was measured.
   *
   * @param seconds that a look at all takes
   * @param steady the turns while submissions came one by one
   * @param rushing those in which they came at once
   */
  private record Measured(
      double seconds,
      Timings submitted,
      List<Turns.Turn> steady,
      Timings rushes,
      List<Turns.Turn> rushing) {}

  private Measured measure(Looks looks, Turns turns, LiveSubmissions submissions)
      throws IOException, InterruptedException {
    looked(looks, submissions, 1, "a look of a process that has just begun");
    // The compilers need to have seen all of it once, here and in the process.
    looked(looks, submissions, WARM_LOOKS, "the next ones");
    double seconds = looked(looks, submissions, LOOKS, "then");
    long until = System.nanoTime() + Duration.ofSeconds(value("SECONDS")).toNanos();
    Timings submitted =
        submissions.steady(
            value("RATE"),
            () -> {
              turns.mayChange();
              return System.nanoTime() < until;
            });
    List<Turns.Turn> steady = turns.past();
    Timings rushes = new Timings();
    for (int i = 0; i < 2 * value("RUSHES"); i++) {
      turns.change();
      Thread.sleep(BEFORE_RUSH_MILLIS);
      submissions.rush(value("SUBMISSIONS"), rushes);
    }
    return new Measured(seconds, submitted, steady, rushes, turns.past());
  }

  private boolean verdict(Measured measured, Timings passes) {
    out.printf(
        "%-12s %7s | %8s %8s %8s | %8s %8s %8s%n",
        "milliseconds", "number", "none p50", "p95", "p99", "kept p50", "p95", "p99");
    boolean submit = holds("submissions", measured.submitted(), measured.steady());
    boolean pass = holds("passes", passes, measured.steady());
    boolean rush = holds("rushes", measured.rushes(), measured.rushing());
    boolean look = measured.seconds() <= MOST_SECONDS;
    out.printf(
        Locale.ROOT, "%s a look at all within %.0f s%n", look ? "ok  " : "FAIL", MOST_SECONDS);
    return submit && pass && rush && look;
  }

  /** Submits until all has been looked at so often more: how long one look took. */
  private double looked(Looks looks, LiveSubmissions submissions, int times, String what)
      throws IOException, InterruptedException {
    looks.begin();
    submissions.steady(value("RATE"), () -> looks.count() < times);
    out.printf(
        Locale.ROOT, "%s: %.1f s, %.1f s of a processor%n", what, looks.seconds(), looks.cpu());
    return looks.seconds();
  }

  private BenchCluster full() throws IOException {
    BenchCluster full = new BenchCluster(value("NODES"), value("SEED"));
    int jobs = value("JOBS");
    full.submit(jobs);
    for (@Nullable Plan plan = null; plan == null || !plan.starts().isEmpty(); ) {
      plan = new Planner().plan(full.state(), full.now(), TaskGate.OPEN);
      full.start(plan.starts());
      full.submit(jobs - full.state().pending().size());
    }
    for (int i = 0; i < value("PAST"); i++) {
      full.later(120);
      full.end();
      full.submit(1);
    }
    return full;
  }

  /**
   * Tells what was measured in turns of both kinds, and whether it holds. A few stalls of disk or
   * collector make the high quantiles, so what is above the bound must be so beyond chance.
   */
  private boolean holds(String what, Timings all, List<Turns.Turn> turns) {
    Pairs pairs = new Pairs(all, turns);
    Timings none = pairs.all(false);
    Timings kept = pairs.all(true);
    out.printf(Locale.ROOT, "%-12s %7d |", what, none.count() + kept.count());
    for (Timings some : List.of(none, kept)) {
      for (double share : SHARES) {
        out.printf(Locale.ROOT, " %8.2f", some.quantile(share));
      }
      out.print(some == none ? " |" : "\n");
    }
    Random random = new Random(value("SEED"));
    StringBuilder ratios = new StringBuilder();
    boolean holds = true;
    for (double share : SHARES) {
      Pairs.Ratio ratio = pairs.ratio(share, random);
      ratios.append(
          String.format(
              Locale.ROOT,
              " %sp%.0f %.2f (%.2f to %.2f)",
              ratios.isEmpty() ? "" : "| ",
              100 * share,
              ratio.value(),
              ratio.low(),
              ratio.high()));
      holds &= ratio.value() <= MOST_RATIO || share > MIDDLE && ratio.low() <= MOST_RATIO;
    }
    out.printf("%s kept/none%s%n", holds ? "ok  " : "FAIL", ratios);
    return holds;
  }

  /** Counts how often all has been foreseen, and how long it takes. Goes on from turn to turn. */
  private static final class Looks implements AutoCloseable {
    private final Foresight.Seer seer =
        new ForecastProcess(ForecastProcess.command(ForetellerMain.class.getName()), Log.silent());
    private final Turns turns;
    private volatile Sum sum = new Sum(0, 0, Duration.ZERO);

    private record Sum(int count, long nanos, Duration work) {}

    Looks(Turns turns) {
      this.turns = turns;
    }

    int count() {
      return sum.count();
    }

    double seconds() {
      return sum.nanos() / 1e9 / Math.max(1, count());
    }

    double cpu() {
      return sum.work().toNanos() / 1e9 / Math.max(1, count());
    }

    /** Counts anew. */
    void begin() {
      sum = new Sum(0, 0, Duration.ZERO);
    }

    /** What whoever looks may close, and nothing else. */
    Foresight.Seer kept() {
      return this::see;
    }

    private Foresight.Seen see(ClusterState state, Instant now)
        throws IOException, InterruptedException {
      turns.await();
      long began = System.nanoTime() - turns.still();
      Foresight.Seen seen = seer.see(state, now);
      turns.await();
      Sum before = sum;
      sum =
          new Sum(
              before.count() + 1,
              before.nanos() + System.nanoTime() - turns.still() - began,
              before.work().plus(seen.work()));
      return seen;
    }

    @Override
    public void close() {
      seer.close();
    }
  }
}
