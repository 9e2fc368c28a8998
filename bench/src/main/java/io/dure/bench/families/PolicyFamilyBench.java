package io.dure.bench.families;

import io.dure.twin.ReplayInput;
import io.dure.twin.ReplayMachine;
import io.dure.twin.TraceReplay;
import io.dure.twin.policy.BackfillPolicy;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.report.ReplayReport;
import io.dure.twin.result.ReplayProgressListener;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Dure's own order against first come first served with EASY backfill, on families of logs. */
final class PolicyFamilyBench {
  private static final ReplayPolicy EASY =
      new ReplayPolicy(QueueOrderPolicy.FCFS, BackfillPolicy.EASY, EstimateSource.LIMIT, null);
  private static final ReplayPolicy OWN =
      new ReplayPolicy(QueueOrderPolicy.DURE, BackfillPolicy.CONF, EstimateSource.PREDICTED, null);
  private static final double MEDIAN_MEAN = 0.45;
  private static final double WORST_MEAN = 0.75;
  private static final double WORST_LONGEST = 1.15;
  private static final double LEAST_UTILIZATION = 0.995;

  private final PrintStream out;
  private final boolean control;

  /**
   * Of Dure's own order, or of what chance does.
   *
   * @param control replays each log under FCFS-EASY once more with submissions moved by up to a
   *     minute, in place of Dure's own order
   */
  PolicyFamilyBench(PrintStream out, boolean control) {
    this.out = out;
    this.control = control;
  }

  /**
   * Dure's own order on one log, each figure divided by that of EASY.
   *
   * @param mean mean bounded slowdown
   * @param p99 99th percentile of bounded slowdowns
   * @param longest longest wait
   * @param utilization part of the machine that is used from the first submission to the last end
   * @param reserved jobs for which a start was reserved
   * @param late jobs that started later than that, but for runs beyond their limits
   * @param lowered jobs that started with less time than their limit, though none asked for less
   */
  private record Ratios(
      double mean,
      double p99,
      double longest,
      double utilization,
      int reserved,
      int late,
      int lowered) {}

  /** Prints a line for each log and what holds of all; returns how many bounds are missed. */
  int compare(List<FamilyTrace> logs) throws InterruptedException {
    out.printf(
        Locale.ROOT,
        "%-46s %7s %6s | %7s %7s %7s %7s | %8s %4s | %9s %9s%n",
        "log",
        "jobs",
        "used",
        "mean",
        "p99",
        "longest",
        "used",
        "reserved",
        "late",
        "mean",
        "longest h");
    List<Ratios> all = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      List<Future<List<ReplayReport>>> found = new ArrayList<>();
      for (FamilyTrace log : logs) {
        found.add(threads.submit(() -> List.of(replay(log, EASY), compared(log))));
      }
      for (int i = 0; i < logs.size(); i++) {
        List<ReplayReport> both = result(found.get(i));
        all.add(line(logs.get(i), both.get(0), both.get(1)));
      }
    }
    count(all);
    return verdict(all);
  }

  private ReplayReport compared(FamilyTrace log) {
    return control
        ? replay(
            new FamilyTrace(log.name(), log.processors(), TraceChange.moved(log.jobs(), 1)), EASY)
        : replay(log, OWN);
  }

  private static List<ReplayReport> result(Future<List<ReplayReport>> future)
      throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private Ratios line(FamilyTrace log, ReplayReport easy, ReplayReport own) {
    Ratios ratios =
        new Ratios(
            own.boundedSlowdown().mean() / easy.boundedSlowdown().mean(),
            own.boundedSlowdown().p99() / easy.boundedSlowdown().p99(),
            own.waitSeconds().max() / Math.max(1, easy.waitSeconds().max()),
            own.utilization() / easy.utilization(),
            own.reserved().jobs(),
            own.reserved().late(),
            own.interruptions().lowered());
    out.printf(
        Locale.ROOT,
        "%-46s %7d %6.3f | %7.2f %7.2f %7.2f %7.3f | %8d %4d | %9.1f %9.1f%n",
        log.name(),
        log.jobs().size(),
        easy.utilization(),
        ratios.mean,
        ratios.p99,
        ratios.longest,
        ratios.utilization,
        ratios.reserved,
        ratios.late,
        easy.boundedSlowdown().mean(),
        easy.waitSeconds().max() / 3600);
    out.flush();
    return ratios;
  }

  private int verdict(List<Ratios> all) {
    double[] means = all.stream().mapToDouble(Ratios::mean).sorted().toArray();
    double longest = all.stream().mapToDouble(Ratios::longest).max().orElse(0);
    double used = all.stream().mapToDouble(Ratios::utilization).min().orElse(1);
    double median = (means[(means.length - 1) / 2] + means[means.length / 2]) / 2;
    return say("mean slowdown, median log", median, MEDIAN_MEAN, true)
        + say("mean slowdown, worst log", means[means.length - 1], WORST_MEAN, true)
        + say("longest wait, worst log", longest, WORST_LONGEST, true)
        + say("utilization, worst log", used, LEAST_UTILIZATION, false)
        + beyond(all);
  }

  /** How many of the logs miss each bound. */
  private void count(List<Ratios> all) {
    out.printf(
        "of %d logs miss the bound: %d of the mean, %d of the longest wait, %d of utilization%n",
        all.size(),
        all.stream().filter(one -> one.mean > WORST_MEAN).count(),
        all.stream().filter(one -> one.longest > WORST_LONGEST).count(),
        all.stream().filter(one -> one.utilization < LEAST_UTILIZATION).count());
  }

  /**
   * No job may start later than what is reserved for it, but where a run exceeds its limit, nor
   * with less time than it asks for.
   */
  private int beyond(List<Ratios> all) {
    int late = all.stream().mapToInt(Ratios::late).sum();
    int lowered = all.stream().mapToInt(Ratios::lowered).sum();
    out.printf("%-4s jobs beyond their bounds: %d%n", ok(late == 0), late);
    out.printf("%-4s jobs with less time than their limits: %d%n", ok(lowered == 0), lowered);
    return (late == 0 ? 0 : 1) + (lowered == 0 ? 0 : 1);
  }

  private static String ok(boolean holds) {
    return holds ? "ok" : "FAIL";
  }

  private int say(String what, double found, double bound, boolean most) {
    boolean holds = most ? found <= bound : found >= bound;
    out.printf(
        Locale.ROOT,
        "%-4s %-28s %6.3f of FCFS-EASY, %s %.3f%n",
        ok(holds),
        what,
        found,
        most ? "at most" : "at least",
        bound);
    return holds ? 0 : 1;
  }

  private static ReplayReport replay(FamilyTrace log, ReplayPolicy policy) {
    ReplayMachine machine = ReplayMachine.ofProcessors(log.processors());
    ReplayInput workload = new ReplayInput(log.jobs().getFirst().submit(), log.jobs(), null);
    return ReplayReport.of(
        log.name(),
        policy,
        null,
        new TraceReplay(machine, workload, policy, ReplayProgressListener.SILENT).run(),
        Duration.ZERO);
  }
}
