package io.dure.twin.gpupacking;

import io.dure.twin.trace.TraceException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** {@code ./dure simulate --gpu-nodes CSV --gpu-tasks CSV}. */
public final class PackingCommand {
  /** What is said of it by {@code ./dure simulate --help}. */
  public static final String USAGE =
      """

      Or: ./dure simulate --gpu-nodes CSV --gpu-tasks CSV [OPTION...]

      Tasks arrive at an empty cluster, are placed one by one and stay; what fits nowhere is dropped.
      Says how much of the GPUs is then allocated.

        --gpu-nodes CSV       nodes: sn,cpu_milli,memory_mib,gpu,model; plain or gzip
        --gpu-tasks CSV       tasks: name,cpu_milli,memory_mib,num_gpu,gpu_milli[,gpu_spec]
        --arrived X           tasks ask for X times the cluster's GPUs in all (1.3): those of the list,
                              shuffled, then such as are drawn from it again
        --seeds A-B           of shuffling and drawing, each a run (42-51); also 1,2,3
        --placement WORD,...  dure (default), fgd (as published), best-fit, first-fit, random
        --mig                 the GPUs are partitioned (MIG) instead: tasks that ask for a part of one come
                              and go, each with the smallest profile that has it, and ask for X
                              times all slices at a time (1.1); says how many are accepted
        --json                print a document instead of a table
      """;

  private static final int WRONG = 2;

  private final PrintStream out;
  private final PrintStream err;
  private final Path directory;
  private final LongSupplier nanos;

  /**
   * A call.
   *
   * @param directory from which files are named
   * @param nanos a clock that only runs forward, in nanoseconds
   */
  public PackingCommand(PrintStream out, PrintStream err, Path directory, LongSupplier nanos) {
    this.out = out;
    this.err = err;
    this.directory = directory;
    this.nanos = nanos;
  }

  /** Whether arguments are for it rather than for a replay. */
  public static boolean isMeant(List<String> arguments) {
    return arguments.stream()
        .anyMatch(one -> one.startsWith("--gpu-nodes") || one.startsWith("--gpu-tasks"));
  }

  /** Exit code 0, 1 if a list cannot be had, 2 for wrong usage. */
  public int run(List<String> arguments) {
    if (arguments.contains("--help") || arguments.contains("-h")) {
      out.print(USAGE.substring(1));
      return 0;
    }
    try {
      run(PackingOptions.read(arguments, directory));
      return 0;
    } catch (PackingOptions.PackingUsageException e) {
      err.println("simulate: " + e.text());
      return WRONG;
    } catch (TraceException e) {
      err.println("simulate: " + e.text());
      return 1;
    }
  }

  private void run(PackingOptions options) throws TraceException {
    GpuCluster cluster = GpuTraceReader.nodes(options.nodes());
    List<GpuTask> tasks = GpuTraceReader.tasks(options.tasks(), cluster);
    if (options.mig()) {
      partition(options, cluster, tasks);
      return;
    }
    GpuPacking packing = new GpuPacking(cluster, tasks, options.arrived(), nanos);
    List<PackingReport.Run> runs = new ArrayList<>();
    for (GpuPlacementPolicy placing : options.placings()) {
      List<GpuPacking.Result> results = new ArrayList<>();
      for (long seed : options.seeds()) {
        results.add(packing.run(placing, seed));
      }
      runs.add(new PackingReport.Run(placing, results));
    }
    out.print(
        options.json() ? PackingReport.json(runs, options.arrived()) : PackingReport.table(runs));
  }

  private void partition(PackingOptions options, GpuCluster cluster, List<GpuTask> tasks)
      throws TraceException {
    MigPacking packing = new MigPacking(cluster.gpus(), tasks, options.arrived());
    if (!packing.hasRequests()) {
      throw new TraceException(
          options.tasks().toString(),
          "no task asks for a part of a GPU that a profile has",
          "name a list with gpu_milli from 1 to 571");
    }
    List<MigPackingReport.Run> runs = new ArrayList<>();
    for (GpuPlacementPolicy placing : options.placings()) {
      List<MigPacking.Result> results = new ArrayList<>();
      for (long seed : options.seeds()) {
        results.add(packing.run(placing, seed));
      }
      runs.add(new MigPackingReport.Run(placing, results));
    }
    out.print(
        options.json()
            ? MigPackingReport.json(runs, options.arrived())
            : MigPackingReport.table(runs));
  }
}
