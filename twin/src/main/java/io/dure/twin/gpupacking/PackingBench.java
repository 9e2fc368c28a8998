package io.dure.twin.gpupacking;

import io.dure.twin.trace.TraceException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/** Holds Dure's placement of GPUs against what was published, nodes under each other's names. */
final class PackingBench {
  private static final double ARRIVED = 1.3;
  private static final double AT_CAPACITY = 87.8;
  private static final double DECISIONS = 2000;
  private static final double MORE_ACCEPTED = 1.1;
  private static final List<Long> SEEDS = LongStream.rangeClosed(42, 51).boxed().toList();

  /** A list, and what fragmentation gradient descent was published to allocate of it, per cent. */
  private record Published(String list, double percent) {}

  private static final List<Published> LISTS =
      List.of(
          new Published("default", 95.39),
          new Published("cpu100", 95.35),
          new Published("gpushare60", 91.40),
          new Published("gpuspec33", 94.55),
          new Published("multigpu30", 96.46));

  private final PrintStream out;
  private final Path lists;
  private final LongSupplier nanos;
  private int failed;

  PackingBench(PrintStream out, Path lists, LongSupplier nanos) {
    this.out = out;
    this.lists = lists;
    this.nanos = nanos;
  }

  /** Prints a line for each figure; returns how many do not hold. */
  int compare() throws TraceException {
    GpuCluster cluster = GpuTraceReader.nodes(lists.resolve("openb_node_list_gpu_node.csv.gz"));
    double slowest = Double.POSITIVE_INFINITY;
    for (Published one : LISTS) {
      PackingReport.Run run = run(cluster, tasks(one.list(), cluster));
      figure(one.list() + ", GPUs allocated, %", run.mean(GpuPacking.Result::atEnd), one.percent());
      if (one.list().equals("gpuspec33")) {
        double found = run.mean(GpuPacking.Result::atCapacity);
        figure(one.list() + ", with 100 % arrived, %", found, AT_CAPACITY);
      }
      slowest = Math.min(slowest, run.min(GpuPacking.Result::decisionsPerSecond));
    }
    figure("placement decisions a second", slowest, DECISIONS);
    List<GpuTask> tasks = tasks("default", cluster);
    double own = accepted(GpuPlacementPolicy.DURE, cluster, tasks);
    figure(
        "MIG, accepted, to first fit",
        own / accepted(GpuPlacementPolicy.FIRST_FIT, cluster, tasks),
        MORE_ACCEPTED);
    figure(
        "MIG, accepted, to best fit",
        own / accepted(GpuPlacementPolicy.BEST_FIT, cluster, tasks),
        MORE_ACCEPTED);
    out.println(failed == 0 ? "all hold" : failed + " do not hold");
    return failed;
  }

  private List<GpuTask> tasks(String list, GpuCluster cluster) throws TraceException {
    return GpuTraceReader.tasks(lists.resolve("openb_pod_list_" + list + ".csv.gz"), cluster);
  }

  private PackingReport.Run run(GpuCluster cluster, List<GpuTask> tasks) {
    List<GpuPacking.Result> results = new ArrayList<>();
    for (long seed : SEEDS) {
      GpuCluster renamed = cluster.renamed(seed);
      results.add(
          new GpuPacking(renamed, tasks, ARRIVED, nanos).run(GpuPlacementPolicy.DURE, seed));
    }
    return new PackingReport.Run(GpuPlacementPolicy.DURE, results);
  }

  private static double accepted(
      GpuPlacementPolicy placing, GpuCluster cluster, List<GpuTask> tasks) {
    MigPacking packing = new MigPacking(cluster.gpus(), tasks, PackingOptions.OFFERED);
    List<MigPacking.Result> results = new ArrayList<>();
    for (long seed : SEEDS) {
      results.add(packing.run(placing, seed));
    }
    return new MigPackingReport.Run(placing, results).mean();
  }

  private void figure(String what, double found, double least) {
    boolean holds = found >= least;
    failed += holds ? 0 : 1;
    out.printf(
        Locale.ROOT,
        "%-4s %-36s %10.3f at least %9.3f%n",
        holds ? "ok" : "FAIL",
        what,
        found,
        least);
    out.flush();
  }
}
