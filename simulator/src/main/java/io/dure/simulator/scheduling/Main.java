package io.dure.simulator.scheduling;

import io.dure.core.scheduler.Plan;
import io.dure.core.scheduler.TaskGate;
import io.dure.core.scheduler.plan.Planner;
import io.dure.core.scheduler.plan.PlannerOptions;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;

/** {@code ./dure bench scheduler}. */
public final class Main {
  private final PrintStream out;

  private Main(PrintStream out) {
    this.out = out;
  }

  /** Arguments: number of nodes, of pending jobs, of events, seed. */
  public static void main(String[] args) {
    int nodes = Integer.parseInt(args[0]);
    int jobs = Integer.parseInt(args[1]);
    int events = Integer.parseInt(args[2]);
    new Main(System.out).measure(nodes, jobs, events, Long.parseLong(args[3]));
  }

  private void measure(int nodes, int jobs, int events, long seed) {
    BenchCluster cluster = new BenchCluster(nodes, seed);
    cluster.submit(jobs);
    int depth = Integer.getInteger("depth", 0);
    PlannerOptions options =
        depth == 0 ? PlannerOptions.easy() : PlannerOptions.easy().withBookings(depth, depth);
    Planner planner = new Planner(options);
    long began = System.nanoTime();
    Plan plan = planner.plan(cluster.state(), cluster.now(), TaskGate.OPEN);
    long first = System.nanoTime() - began;
    int started = cluster.start(plan.starts());
    cluster.submit(jobs - cluster.state().pending().size());
    out.printf(
        Locale.ROOT,
        "%d nodes, %d pending jobs: empty cluster %d starts in %.0f ms%n",
        nodes,
        jobs,
        started,
        first / 1e6);
    long[] full = new long[5];
    for (int i = 0; i < full.length; i++) {
      began = System.nanoTime();
      new Planner(options).plan(cluster.state(), cluster.now(), TaskGate.OPEN);
      full[i] = System.nanoTime() - began;
    }
    report("plan from nothing", full);
    planner.plan(cluster.state(), cluster.now(), TaskGate.OPEN);
    long[] each = new long[events];
    int starts = 0;
    for (int i = 0; i < events; i++) {
      cluster.later(1);
      if (i % 2 == 0) {
        cluster.end();
      } else {
        cluster.submit(1);
      }
      began = System.nanoTime();
      plan = planner.plan(cluster.state(), cluster.now(), TaskGate.OPEN);
      each[i] = System.nanoTime() - began;
      starts += cluster.start(plan.starts());
    }
    report("plan after one event", each);
    out.printf(Locale.ROOT, "  %d starts%n", starts);
  }

  private void report(String what, long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    out.printf(
        Locale.ROOT,
        "  %s: p50 %.2f ms, p99 %.2f ms, longest %.2f ms%n",
        what,
        sorted[sorted.length / 2] / 1e6,
        sorted[(int) Math.min(sorted.length - 1, sorted.length * 99L / 100)] / 1e6,
        sorted[sorted.length - 1] / 1e6);
  }
}
