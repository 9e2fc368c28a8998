package io.dure.simulator.scheduling;

import io.dure.controller.loop.ForecasterSeer;
import io.dure.controller.loop.Foresight;
import io.dure.core.controller.ClusterState;
import io.dure.core.forecast.Forecast;
import io.dure.core.scheduler.Plan;
import io.dure.core.scheduler.plan.Planner;
import io.dure.core.scheduler.plan.TaskGate;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a controller's loop and scheduler feel of forecasts that are kept of all that wait: the same
 * with and without, in turns.
 */
final class ForecastBench {
  private final PrintStream out;
  private final Map<String, Integer> values;

  ForecastBench(PrintStream out, Map<String, Integer> values) {
    this.out = out;
    this.values = values;
  }

  private int value(String name) {
    return values.getOrDefault(name, 1);
  }

  void run() throws IOException, InterruptedException {
    out.printf(
        Locale.ROOT,
        "%d nodes, %d jobs wait; milliseconds but for submissions a second%n",
        value("NODES"),
        value("JOBS"));
    // The compiler needs to have seen all of it once.
    measure(null, 200);
    out.printf(
        "%9s | %8s %8s | %8s %8s %8s | %10s %7s%n",
        "forecasts", "submit", "p99", "passes", "pass", "p99", "a second", "rounds");
    for (int rep = 0; rep < value("REPS"); rep++) {
      measure(null, value("SUBMISSIONS"));
      measure(new Counted(), value("SUBMISSIONS"));
    }
  }

  private BenchCluster full() {
    BenchCluster cluster = new BenchCluster(value("NODES"), value("SEED"));
    int jobs = value("JOBS");
    cluster.submit(jobs);
    for (@Nullable Plan plan = null; plan == null || !plan.starts().isEmpty(); ) {
      plan = new Planner().plan(cluster.state(), cluster.now(), TaskGate.OPEN);
      cluster.start(plan.starts());
      cluster.submit(jobs - cluster.state().pending().size());
    }
    return cluster;
  }

  private void measure(@Nullable Counted seer, int submissions)
      throws IOException, InterruptedException {
    BenchCluster cluster = full();
    LiveSubmissions live = new LiveSubmissions(cluster, seer);
    Timings each = live.run(submissions);
    Timings all = new LiveSubmissions(cluster, seer).rush(submissions);
    out.printf(
        Locale.ROOT,
        "%9s | %8.2f %8.2f | %8d %8.2f %8.2f | %10.0f %7d%n",
        seer == null ? "none" : "kept",
        each.quantile(0.5),
        each.quantile(0.99),
        live.passes().count(),
        live.passes().quantile(0.5),
        live.passes().quantile(0.99),
        submissions / all.total() * 1000,
        seer == null ? 0 : seer.rounds);
  }

  /** Counts how often all has been foreseen. */
  private static final class Counted implements Foresight.Seer {
    private final ForecasterSeer seer = new ForecasterSeer();
    private int rounds;

    @Override
    public void begin(ClusterState state, Instant now) {
      seer.begin(state, now);
    }

    @Override
    public boolean step() {
      boolean more = seer.step();
      rounds = more ? rounds : rounds + 1;
      return more;
    }

    @Override
    public @Nullable Forecast of(int jobId) {
      return seer.of(jobId);
    }
  }
}
