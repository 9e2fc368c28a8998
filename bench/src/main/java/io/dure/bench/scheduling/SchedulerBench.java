package io.dure.bench.scheduling;

import io.dure.scheduler.ArrayTaskGate;
import io.dure.scheduler.Planner;
import io.dure.scheduler.SchedulingPlan;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Plans for a full cluster with a full queue: from nothing, all passes until each job has its
 * promise that is to have one, after one event, and beside submissions. Nodes and jobs grow one at
 * a time from the usual size, 1,000 nodes and 10,000 jobs, and together at the largest.
 */
final class SchedulerBench {
  private static final int USUAL_NODES = 1000;
  private static final int USUAL_JOBS = 10_000;
  private static final int LARGE_JOBS = 100_000;
  private static final int PLANS = 7;

  private final PrintStream out;
  private final Map<String, List<Integer>> values;

  private record Size(int nodes, int jobs) {}

  SchedulerBench(PrintStream out, Map<String, List<Integer>> values) {
    this.out = out;
    this.values = values;
  }

  private int value(String name) {
    return values.getOrDefault(name, List.of(1)).getFirst();
  }

  private List<Size> sizes() {
    TreeSet<Integer> nodes = new TreeSet<>(values.getOrDefault("NODES", List.of()));
    TreeSet<Integer> jobs = new TreeSet<>(values.getOrDefault("JOBS", List.of()));
    TreeSet<Long> seen = new TreeSet<>();
    List<Size> sizes = new ArrayList<>();
    for (int n : nodes) {
      for (int j : jobs) {
        boolean usual = n == USUAL_NODES || j == USUAL_JOBS || n == nodes.last() && j <= LARGE_JOBS;
        boolean small = nodes.size() == 1 || jobs.size() == 1;
        if ((usual || small) && seen.add((long) n << 32 | j)) {
          sizes.add(new Size(n, j));
        }
      }
    }
    return sizes;
  }

  void run() throws IOException, InterruptedException {
    out.println(
        "milliseconds; a full cluster, eight classes of nodes, five partitions, 300 shapes");
    out.printf(
        "%7s %8s | %9s %9s | %9s %9s | %9s %9s %9s | %9s %9s%n",
        "nodes",
        "pending",
        "full plan",
        "longest",
        "promises",
        "passes",
        "one event",
        "p99",
        "longest",
        "submit",
        "p99");
    // The compiler needs to have seen all of it once.
    measure(new Size(USUAL_NODES, USUAL_JOBS), 200, 200);
    for (Size size : sizes()) {
      out.print(measure(size, value("EVENTS"), value("SUBMISSIONS")));
    }
  }

  private String measure(Size size, int events, int submissions)
      throws IOException, InterruptedException {
    BenchCluster cluster = new BenchCluster(size.nodes(), value("SEED"), value("OWN") != 0);
    cluster.submit(size.jobs());
    for (@Nullable SchedulingPlan plan = null; plan == null || !plan.starts().isEmpty(); ) {
      plan = new Planner().plan(cluster.state(), cluster.now(), ArrayTaskGate.OPEN);
      cluster.start(plan.starts());
      cluster.submit(size.jobs() - cluster.state().pending().size());
    }
    Timings full = new Timings();
    for (int i = 0; i < PLANS; i++) {
      full.time(() -> new Planner().plan(cluster.state(), cluster.now(), ArrayTaskGate.OPEN));
    }
    Timings each = new Timings();
    Timings fill = new Timings();
    Planner planner = new Planner();
    Planner.Memory memory = Planner.Memory.none();
    for (boolean more = true; more; ) {
      Planner.Memory before = memory;
      Planner.Planned planned =
          fill.time(() -> planner.plan(cluster.state(), cluster.now(), ArrayTaskGate.OPEN, before));
      memory = planned.memory();
      more = planned.plan().unfinished();
    }
    for (int i = 0; i < events; i++) {
      cluster.later(1);
      if (i % 2 == 0) {
        cluster.end();
      } else {
        cluster.submit(1);
      }
      Planner.Memory before = memory;
      Planner.Planned planned =
          each.time(() -> planner.plan(cluster.state(), cluster.now(), ArrayTaskGate.OPEN, before));
      memory = planned.memory();
      cluster.start(planned.plan().starts());
    }
    Timings submitted;
    try (LiveControllerLoop live = new LiveControllerLoop(cluster, null)) {
      submitted = new LiveSubmitter(cluster, live.loop()).oneByOne(submissions);
    }
    return String.format(
        Locale.ROOT,
        "%7d %8d | %9.1f %9.1f | %9.1f %9d | %9.2f %9.2f %9.2f | %9.2f %9.2f%n",
        size.nodes(),
        size.jobs(),
        full.quantile(0.5),
        full.quantile(1),
        fill.total(),
        fill.count(),
        each.quantile(0.5),
        each.quantile(0.99),
        each.quantile(1),
        submitted.quantile(0.5),
        submitted.quantile(0.99));
  }
}
