package io.dure.bench.publishedresults;

import io.dure.host.config.LocalConfigSource;
import io.dure.model.accounting.AccountUser;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.twin.ReplayInput;
import io.dure.twin.ReplayMachine;
import io.dure.twin.TraceReplay;
import io.dure.twin.accounts.AccountsFile;
import io.dure.twin.policy.BackfillPolicy;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.report.DistributionSummary;
import io.dure.twin.report.ReplayReport;
import io.dure.twin.report.TraceWindow;
import io.dure.twin.result.JobResult;
import io.dure.twin.result.ReplayProgressListener;
import io.dure.twin.result.ReplayResult;
import io.dure.twin.trace.SwfReadOptions;
import io.dure.twin.trace.SwfReadOptions.Cleaning;
import io.dure.twin.trace.TraceException;
import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceOpener;
import io.dure.twin.trace.WorkloadTrace;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** Dure's own order against first come first served, and against Slurm's priorities. */
final class PolicyBench {
  private static final ReplayPolicy EASY =
      new ReplayPolicy(QueueOrderPolicy.FCFS, BackfillPolicy.EASY, EstimateSource.LIMIT, null);
  private static final ReplayPolicy OWN =
      new ReplayPolicy(QueueOrderPolicy.DURE, BackfillPolicy.CONF, EstimateSource.PREDICTED, null);
  private static final ReplayPolicy SLURM =
      new ReplayPolicy(
          QueueOrderPolicy.MULTIFACTOR, BackfillPolicy.CONF, EstimateSource.LIMIT, null);
  private static final ReplayPolicy OWN_BY_CONF =
      new ReplayPolicy(QueueOrderPolicy.DURE, BackfillPolicy.CONF, EstimateSource.PREDICTED, null);
  private static final double MEAN = 0.45;
  private static final double LONGEST = 1.1;
  private static final double WINDOWS = 30;

  private final PrintStream out;
  private final Path traces;
  private int failed;

  /**
   * A comparison.
   *
   * @param traces where the logs lie
   */
  PolicyBench(PrintStream out, Path traces) {
    this.out = out;
    this.traces = traces;
  }

  /** Prints a line for each figure; returns how many miss what they are held against. */
  int compare() throws TraceException {
    whole("KTH-SP2-1996.swf.gz");
    whole("ANL-Theta-2023.swf.gz");
    windows("lublin_256-1.swf.gz");
    accounts(traces.resolve("ub-hpc"));
    return failed;
  }

  private void whole(String file) throws TraceException {
    WorkloadTrace trace = trace(file, Cleaning.SC15);
    ReplayReport easy = replay(trace, trace.jobs(), EASY);
    ReplayReport own = replay(trace, trace.jobs(), OWN);
    line(file, "mean bounded slowdown", own, easy, MEAN, r -> r.boundedSlowdown().mean());
    line(file, "p99 bounded slowdown", own, easy, 1, r -> r.boundedSlowdown().p99());
    line(file, "longest wait, s", own, easy, LONGEST, r -> r.waitSeconds().max());
    line(file, "p99 wait, s", own, easy, 1, r -> r.waitSeconds().p99());
    line(file, "mean wait, s", own, easy, 1, r -> r.waitSeconds().mean());
  }

  private void line(
      String file,
      String what,
      ReplayReport own,
      ReplayReport other,
      double most,
      ToDoubleFunction<ReplayReport> figure) {
    double found = figure.applyAsDouble(own);
    double base = figure.applyAsDouble(other);
    say(
        found <= most * base,
        file,
        what,
        found,
        String.format(
            Locale.ROOT,
            "%.2f of %.2f under %s, at most %.2f",
            found / base,
            base,
            other.policy().text(),
            most));
  }

  private void say(boolean holds, String file, String what, double found, String against) {
    failed += holds ? 0 : 1;
    out.printf(
        Locale.ROOT,
        "%-4s %-22s %-28s %12.2f  %s%n",
        holds ? "ok" : "FAIL",
        file,
        what,
        found,
        against);
    out.flush();
  }

  private void windows(String file) throws TraceException {
    WorkloadTrace trace = trace(file, Cleaning.IMPOSSIBLE);
    List<DistributionSummary> each = new ArrayList<>();
    StringBuilder means = new StringBuilder();
    for (TraceWindow window : PublishedResults.windows()) {
      ReplayReport one =
          replay(trace, trace.jobs().subList(window.start(), window.start() + window.count()), OWN);
      each.add(one.boundedSlowdown());
      means.append(String.format(Locale.ROOT, " %.1f", one.boundedSlowdown().mean()));
    }
    double mean = each.stream().mapToDouble(DistributionSummary::mean).average().orElse(0);
    say(mean <= WINDOWS, file, "windows' bounded slowdown", mean, "at most 30; each:" + means);
  }

  private void accounts(Path cluster) throws TraceException {
    String conf = cluster.resolve("slurm.conf").toString();
    ParsedConfig parsed = SlurmConfParser.parse(conf, new LocalConfigSource());
    ReplayMachine machine = ReplayMachine.of(parsed.config());
    AccountingTree tree =
        AccountsFile.read(cluster.resolve("sacctmgr.script"), machine.name()).tree();
    WorkloadTrace trace =
        TraceOpener.read(
            cluster.resolve("workload_5k.events.gz"),
            new SwfReadOptions(Cleaning.IMPOSSIBLE, machine.cpus()));
    ReplayInput workload = new ReplayInput(trace.start(), trace.jobs(), null, tree);
    ReplayResult slurm =
        new TraceReplay(machine, workload, SLURM, ReplayProgressListener.SILENT).run();
    ReplayResult own =
        new TraceReplay(machine, workload, OWN_BY_CONF, ReplayProgressListener.SILENT).run();
    ReplayReport before = report(trace, SLURM, slurm);
    line(
        "ub-hpc",
        "mean wait, s",
        report(trace, OWN_BY_CONF, own),
        before,
        1,
        r -> r.waitSeconds().mean());
    fair("fairness of slowdowns", own, slurm, tree, r -> r.boundedSlowdown().mean());
    fair("fairness of waits", own, slurm, tree, r -> r.waitSeconds().mean());
  }

  private void fair(
      String what,
      ReplayResult own,
      ReplayResult slurm,
      AccountingTree tree,
      ToDoubleFunction<ReplayReport> figure) {
    double found = fairness(own, tree, figure);
    double before = fairness(slurm, tree, figure);
    String against = String.format(Locale.ROOT, "at least %.3f, that of %s", before, SLURM.text());
    say(found >= before, "ub-hpc", what, found, against);
  }

  /** Jain's index of a figure of each account: 1 if all are equal. */
  private static double fairness(
      ReplayResult schedule, AccountingTree tree, ToDoubleFunction<ReplayReport> figure) {
    Map<String, List<JobResult>> byAccount = new TreeMap<>();
    for (JobResult result : schedule.results()) {
      AccountUser user = tree.user(result.job().user());
      String account = user == null ? "" : user.defaultAccount();
      byAccount.computeIfAbsent(account, _ -> new ArrayList<>()).add(result);
    }
    double sum = 0;
    double squares = 0;
    int count = 0;
    for (List<JobResult> results : byAccount.values()) {
      ReplayResult alone = new ReplayResult(results, schedule.cpus(), "");
      ReplayReport one = ReplayReport.of("", SLURM, null, alone, Duration.ZERO);
      double mean = figure.applyAsDouble(one);
      if (one.counts().jobs() > one.counts().notRun()) {
        sum += mean;
        squares += mean * mean;
        count++;
      }
    }
    return squares == 0 ? 1 : sum * sum / (count * squares);
  }

  private WorkloadTrace trace(String file, Cleaning cleaning) throws TraceException {
    return TraceOpener.read(traces.resolve(file), new SwfReadOptions(cleaning, null));
  }

  private static ReplayReport replay(
      WorkloadTrace trace, List<TraceJob> jobs, ReplayPolicy policy) {
    Integer processors = trace.processors();
    ReplayMachine machine = ReplayMachine.ofProcessors(processors == null ? 1 : processors);
    ReplayInput workload = new ReplayInput(trace.start(), jobs, null);
    return report(
        trace,
        policy,
        new TraceReplay(machine, workload, policy, ReplayProgressListener.SILENT).run());
  }

  private static ReplayReport report(
      WorkloadTrace trace, ReplayPolicy policy, ReplayResult schedule) {
    return ReplayReport.of(trace.name(), policy, null, schedule, Duration.ZERO);
  }
}
