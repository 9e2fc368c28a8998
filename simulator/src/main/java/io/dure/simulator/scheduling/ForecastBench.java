package io.dure.simulator.scheduling;

import io.dure.controller.ForetellerMain;
import io.dure.controller.loop.ForecastProcess;
import io.dure.controller.loop.ForecasterSeer;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a controller's loop and scheduler feel of forecasts that are kept of all that wait: the same
 * with and without, in turns, each as long as a whole look at the queue takes at least.
 */
final class ForecastBench {
  /** What the machine does by itself from one minute to the next. */
  private static final double MOST_RATIO = 1.1;

  private static final double MOST_SECONDS = 30;
  private static final int RUSHES = 15;
  private static final long BETWEEN_RUSHES_MILLIS = 300;

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
    try (Looks looks = new Looks(value("THREAD") > 0)) {
      return compare(looks);
    }
  }

  private boolean compare(Looks looks) throws IOException, InterruptedException {
    // The compilers need to have seen all of it once, here and in the process.
    row(null, value("SECONDS") / 2);
    row(looks, value("SECONDS") / 2);
    out.printf(
        Locale.ROOT,
        "a first look, of a process that has just begun: %.1f s, %.1f s of a processor%n",
        looks.seconds(),
        looks.cpu());
    out.printf(
        "%9s | %8s %8s | %8s %8s %8s | %8s | %6s %7s %7s%n",
        "forecasts", "submit", "p99", "passes", "pass", "p99", "rush", "looks", "seconds", "CPU s");
    List<Row> without = new ArrayList<>();
    List<Row> with = new ArrayList<>();
    for (int rep = 0; rep < value("REPS"); rep++) {
      // Whoever comes second finds another machine: each comes second as often.
      if (rep % 2 == 0) {
        without.add(shown(row(null, value("SECONDS"))));
      }
      with.add(shown(row(looks, value("SECONDS"))));
      if (rep % 2 == 1) {
        without.add(shown(row(null, value("SECONDS"))));
      }
    }
    return verdict(without, with);
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

  /** What was measured of one turn. */
  private record Row(
      Timings submitted, Timings passes, double rush, int looks, double seconds, double cpu) {}

  private Row row(@Nullable Looks looks, int seconds) throws IOException, InterruptedException {
    if (looks != null) {
      looks.begin();
    }
    LiveLoop live = new LiveLoop(cluster, looks == null ? null : looks.kept());
    Timings submitted;
    Timings rushes = new Timings();
    try (live) {
      LiveSubmissions submissions = new LiveSubmissions(cluster, live.loop());
      long until = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
      submitted =
          submissions.steady(
              value("RATE"),
              () -> System.nanoTime() < until || looks != null && looks.count() == 0);
      for (int i = 0; i < RUSHES; i++) {
        rushes.add(submissions.rush(value("SUBMISSIONS")));
        Thread.sleep(BETWEEN_RUSHES_MILLIS);
      }
    }
    return new Row(
        submitted,
        live.passes(),
        value("SUBMISSIONS") / rushes.quantile(0.5) * 1000,
        looks == null ? 0 : looks.settled(),
        looks == null ? 0 : looks.seconds(),
        looks == null ? 0 : looks.cpu());
  }

  private Row shown(Row row) {
    out.printf(
        Locale.ROOT,
        "%9s | %8.2f %8.2f | %8d %8.2f %8.2f | %8.0f | %6d %7.1f %7.1f%n",
        row.looks() == 0 ? "none" : "kept",
        row.submitted().quantile(0.5),
        row.submitted().quantile(0.99),
        row.passes().count(),
        row.passes().quantile(0.5),
        row.passes().quantile(0.99),
        row.rush(),
        row.looks(),
        row.seconds(),
        row.cpu());
    return row;
  }

  private boolean verdict(List<Row> without, List<Row> with) {
    Ratios submit = new Ratios();
    Ratios pass = new Ratios();
    Ratios rush = new Ratios();
    Ratios seconds = new Ratios();
    Ratios cpu = new Ratios();
    for (int i = 0; i < with.size(); i++) {
      Row one = without.get(i);
      Row other = with.get(i);
      submit.add(other.submitted().quantile(0.99) / one.submitted().quantile(0.99));
      pass.add(other.passes().quantile(0.99) / one.passes().quantile(0.99));
      rush.add(one.rush() / other.rush());
      seconds.add(other.seconds());
      cpu.add(other.cpu());
    }
    boolean holds =
        submit.median() <= MOST_RATIO
            && pass.median() <= MOST_RATIO
            && rush.median() <= MOST_RATIO
            && seconds.median() <= MOST_SECONDS;
    out.printf(
        Locale.ROOT,
        "%s kept/none: submit p99 %s, pass p99 %s, time of a rush %s (at most %.2f); a look takes"
            + " %.1f s, %.1f s of a processor (at most %.0f s)%n",
        holds ? "ok  " : "FAIL",
        submit,
        pass,
        rush,
        MOST_RATIO,
        seconds.median(),
        cpu.median(),
        MOST_SECONDS);
    return holds;
  }

  /** Some numbers, of which the median and the ends are told. */
  private static final class Ratios {
    private final List<Double> all = new ArrayList<>();

    void add(double one) {
      all.add(one);
      all.sort(Double::compare);
    }

    double median() {
      int half = all.size() / 2;
      return all.size() % 2 == 1 ? all.get(half) : (all.get(half - 1) + all.get(half)) / 2;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%.2f (%.2f to %.2f)", median(), all.getFirst(), all.getLast());
    }
  }

  /** Counts how often all has been foreseen, and how long it takes. Goes on from turn to turn. */
  private static final class Looks implements AutoCloseable {
    private final Foresight.Seer seer;
    private volatile Sum sum = new Sum(0, 0, Duration.ZERO);

    private record Sum(int count, long nanos, Duration work) {}

    /**
     * Looks of a process, or of a thread beside the loop.
     *
     * @param thread whether of a thread
     */
    Looks(boolean thread) {
      seer =
          thread
              ? new ForecasterSeer()
              : new ForecastProcess(
                  ForecastProcess.command(ForetellerMain.class.getName()), Log.silent());
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

    /** What a turn may close, and the next goes on with. */
    Foresight.Seer kept() {
      return this::see;
    }

    /** The same once a look is over that is under way. */
    synchronized int settled() {
      return sum.count();
    }

    private synchronized Foresight.Seen see(ClusterState state, Instant now)
        throws IOException, InterruptedException {
      long began = System.nanoTime();
      Foresight.Seen seen = seer.see(state, now);
      Sum before = sum;
      sum =
          new Sum(
              before.count() + 1,
              before.nanos() + System.nanoTime() - began,
              before.work().plus(seen.work()));
      return seen;
    }

    @Override
    public void close() {
      seer.close();
    }
  }
}
