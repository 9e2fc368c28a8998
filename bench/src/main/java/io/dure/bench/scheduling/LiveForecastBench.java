package io.dure.bench.scheduling;

import io.dure.cluster.ClusterState;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.insight.worker.ForecastSource;
import io.dure.insight.worker.ForecastWorkerMain;
import io.dure.insight.worker.ForecastWorkerProcess;
import io.dure.scheduler.ArrayTaskGate;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What a controller's loop and scheduler feel of forecasts that are kept of all that wait: under
 * the same load the process that makes them runs and stands still in turns.
 */
final class LiveForecastBench {
  private static final double MOST_RATIO = 1.1;

  private static final double MEDIAN = 0.5;
  private static final double[] SHARES = {MEDIAN, 0.95, 0.99};
  private static final double MOST_BY_CHANCE = 1.3;
  private static final int LEAST_COUNT = 5;

  private static final double LEAST_BUSY = 0.4;
  private static final double MOST_STILL = 0.02;

  private static final double MOST_SECONDS = 30;
  private static final Duration PATIENCE = Duration.ofMinutes(15);
  private static final int WARM_LOOKS = 2;
  private static final int LOOKS = 2;
  private static final long BEFORE_RUSH_MILLIS = 300;

  private final PrintStream out;
  private final Map<String, Integer> values;
  private final BenchCluster cluster;

  LiveForecastBench(PrintStream out, Map<String, Integer> values) throws IOException {
    this.out = out;
    this.values = values;
    cluster = full();
  }

  private int value(String name) {
    return values.getOrDefault(name, 1);
  }

  private ProcessAlternator.Mover mover() {
    return switch (value("CONTROL")) {
      case 0 -> ProcessAlternator.Mover.FORECASTS;
      case 1 -> ProcessAlternator.Mover.NOTHING;
      default -> ProcessAlternator.Mover.LOOP;
    };
  }

  /** Whether nothing slows down, and a look is had in time. */
  boolean run() throws IOException, InterruptedException {
    out.printf(
        Locale.ROOT,
        "%d nodes, %d jobs wait, %d submissions a second, then %d at once; milliseconds%n",
        value("NODES"),
        value("JOBS"),
        value("RATE"),
        value("SUBMISSIONS"));
    ProcessAlternator turns = new ProcessAlternator(value("SEED"), mover());
    Measured measured;
    Timings passes;
    try (Looks looks = new Looks(turns);
        LiveControllerLoop live = new LiveControllerLoop(cluster, looks.kept())) {
      passes = live.passes();
      measured = measure(looks, turns, new LiveSubmitter(cluster, live.loop()));
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
      List<ProcessAlternator.Turn> steady,
      Timings rushes,
      List<ProcessAlternator.Turn> rushing) {}

  private Measured measure(Looks looks, ProcessAlternator turns, LiveSubmitter submissions)
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
    List<ProcessAlternator.Turn> steady = turns.past();
    Timings rushes = new Timings();
    for (int i = 0; i < 2 * value("RUSHES"); i++) {
      turns.change();
      Thread.sleep(BEFORE_RUSH_MILLIS);
      submissions.rush(value("SUBMISSIONS"), rushes);
    }
    return new Measured(seconds, submitted, steady, rushes, turns.past());
  }

  private boolean verdict(Measured measured, Timings passes) {
    double moving = ProcessAlternator.busy(measured.steady(), true);
    double still = ProcessAlternator.busy(measured.steady(), false);
    // In a turn in which nothing runs, or of a process that rests, there is nothing to be felt.
    boolean ran =
        mover() == ProcessAlternator.Mover.NOTHING || moving >= LEAST_BUSY && still <= MOST_STILL;
    out.printf(
        Locale.ROOT,
        "%s %s took %.0f %% of a processor in its turns, %.0f %% in the others%n",
        ran ? "ok  " : "FAIL",
        mover().toString().toLowerCase(Locale.ROOT),
        100 * moving,
        100 * still);
    out.printf(
        "%-12s | %14s %8s %8s %8s | %14s %8s %8s %8s%n",
        "", "standing still", "p50", "p95", "p99", "running", "p50", "p95", "p99");
    boolean submit = holds("submissions", measured.submitted(), measured.steady(), SHARES);
    boolean pass = holds("passes", passes, measured.steady(), SHARES);
    boolean rush = holds("rushes", measured.rushes(), measured.rushing(), MEDIAN);
    boolean look = measured.seconds() <= MOST_SECONDS;
    out.printf(
        Locale.ROOT, "%s a look at all within %.0f s%n", look ? "ok  " : "FAIL", MOST_SECONDS);
    return ran && submit && pass && rush && look;
  }

  /** Submits until all has been looked at so often more: how long one look took. */
  private double looked(Looks looks, LiveSubmitter submissions, int times, String what)
      throws IOException, InterruptedException {
    looks.begin();
    long until = System.nanoTime() + PATIENCE.toNanos();
    submissions.steady(
        value("RATE"),
        () -> {
          if (System.nanoTime() > until) {
            throw new IOException("no forecasts came within " + PATIENCE);
          }
          return looks.count() < times;
        });
    out.printf(
        Locale.ROOT, "%s: %.1f s, %.1f s of a processor%n", what, looks.seconds(), looks.cpu());
    return looks.seconds();
  }

  private BenchCluster full() throws IOException {
    BenchCluster full = new BenchCluster(value("NODES"), value("SEED"));
    int jobs = value("JOBS");
    full.submit(jobs);
    for (@Nullable SchedulingPlan plan = null; plan == null || !plan.starts().isEmpty(); ) {
      plan = new Planner().plan(full.state(), full.now(), ArrayTaskGate.OPEN);
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
   * collector make the high quantiles, and few rushes their median: those may be above the bound by
   * chance, but not by much.
   */
  private boolean holds(
      String what, Timings all, List<ProcessAlternator.Turn> turns, double... shares) {
    PairedTimings pairs = new PairedTimings(all, turns);
    boolean holds = true;
    // Rushes are few, and are told by their median alone.
    boolean few = shares.length == 1;
    out.printf("%-12s", what);
    for (boolean moving : List.of(false, true)) {
      Timings some = pairs.all(moving);
      holds &= some.count() >= LEAST_COUNT;
      out.printf(" | %14d", some.count());
      for (double share : shares) {
        out.printf(Locale.ROOT, " %8.2f", some.quantile(share));
      }
    }
    out.println();
    Random random = new Random(value("SEED"));
    StringBuilder ratios = new StringBuilder();
    for (double share : shares) {
      PairedTimings.Ratio ratio = pairs.ratio(share, random);
      ratios.append(
          String.format(
              Locale.ROOT,
              "  p%.0f %.2f (%.2f to %.2f)",
              100 * share,
              ratio.value(),
              ratio.low(),
              ratio.high()));
      boolean chance =
          (few || share > MEDIAN) && ratio.low() <= MOST_RATIO && ratio.value() <= MOST_BY_CHANCE;
      holds &= ratio.value() <= MOST_RATIO || chance;
    }
    out.printf("%s running/still%s%n", holds ? "ok  " : "FAIL", ratios);
    return holds;
  }

  /** Counts how often all has been foreseen, and how long it takes. Goes on from turn to turn. */
  private static final class Looks implements AutoCloseable {
    private final ForecastSource source =
        new ForecastWorkerProcess(
            ForecastWorkerProcess.command(ForecastWorkerMain.class.getName()),
            DaemonLog.toStream(
                System.err, LogLevel.INFO, InstantSource.system(), ZoneId.systemDefault()));
    private final ProcessAlternator turns;
    private volatile Sum sum = new Sum(0, 0, Duration.ZERO);

    private record Sum(int count, long nanos, Duration work) {}

    Looks(ProcessAlternator turns) {
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
    synchronized void begin() {
      sum = new Sum(0, 0, Duration.ZERO);
    }

    /** What whoever looks may close, and nothing else. */
    ForecastSource kept() {
      return this::forecast;
    }

    private ForecastSource.Result forecast(ClusterState state, Instant now)
        throws IOException, InterruptedException {
      turns.await();
      long began = System.nanoTime();
      ForecastSource.Result seen = source.forecast(state, now);
      add(System.nanoTime() - began, seen.work());
      turns.await();
      return seen;
    }

    private synchronized void add(long nanos, Duration work) {
      sum = new Sum(sum.count() + 1, sum.nanos() + nanos, sum.work().plus(work));
    }

    @Override
    public void close() {
      source.close();
    }
  }
}
