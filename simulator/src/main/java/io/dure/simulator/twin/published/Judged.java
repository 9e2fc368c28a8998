package io.dure.simulator.twin.published;

import io.dure.core.accounting.AccountUser;
import io.dure.core.accounting.AccountingTree;
import io.dure.core.config.ParsedConfig;
import io.dure.core.config.SlurmConf;
import io.dure.host.config.LocalConfigSource;
import io.dure.simulator.twin.Backfill;
import io.dure.simulator.twin.Estimates;
import io.dure.simulator.twin.JobResult;
import io.dure.simulator.twin.Machine;
import io.dure.simulator.twin.Order;
import io.dure.simulator.twin.Policy;
import io.dure.simulator.twin.Progress;
import io.dure.simulator.twin.Replay;
import io.dure.simulator.twin.Schedule;
import io.dure.simulator.twin.Workload;
import io.dure.simulator.twin.accounts.AccountsFile;
import io.dure.simulator.twin.report.Distribution;
import io.dure.simulator.twin.report.RunReport;
import io.dure.simulator.twin.report.Window;
import io.dure.simulator.twin.trace.SwfRules;
import io.dure.simulator.twin.trace.SwfRules.Cleaning;
import io.dure.simulator.twin.trace.Trace;
import io.dure.simulator.twin.trace.TraceException;
import io.dure.simulator.twin.trace.TraceJob;
import io.dure.simulator.twin.trace.Traces;
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
final class Judged {
  private static final Policy EASY = new Policy(Order.FCFS, Backfill.EASY, Estimates.LIMIT, null);
  private static final Policy OWN =
      new Policy(Order.DURE, Backfill.SJBF, Estimates.PREDICTED, null);
  private static final Policy SLURM =
      new Policy(Order.MULTIFACTOR, Backfill.CONF, Estimates.LIMIT, null);
  private static final Policy OWN_BY_CONF =
      new Policy(Order.DURE, Backfill.CONF, Estimates.PREDICTED, null);
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
  Judged(PrintStream out, Path traces) {
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
    Trace trace = trace(file, Cleaning.SC15);
    RunReport easy = replay(trace, trace.jobs(), EASY);
    RunReport own = replay(trace, trace.jobs(), OWN);
    line(file, "mean bounded slowdown", own, easy, MEAN, r -> r.boundedSlowdown().mean());
    line(file, "p99 bounded slowdown", own, easy, 1, r -> r.boundedSlowdown().p99());
    line(file, "longest wait, s", own, easy, LONGEST, r -> r.waitSeconds().max());
    line(file, "p99 wait, s", own, easy, 1, r -> r.waitSeconds().p99());
    line(file, "mean wait, s", own, easy, 1, r -> r.waitSeconds().mean());
  }

  private void line(
      String file,
      String what,
      RunReport own,
      RunReport other,
      double most,
      ToDoubleFunction<RunReport> figure) {
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
    Trace trace = trace(file, Cleaning.IMPOSSIBLE);
    List<Distribution> each = new ArrayList<>();
    StringBuilder means = new StringBuilder();
    for (Window window : PublishedValues.windows()) {
      RunReport one =
          replay(trace, trace.jobs().subList(window.start(), window.start() + window.count()), OWN);
      each.add(one.boundedSlowdown());
      means.append(String.format(Locale.ROOT, " %.1f", one.boundedSlowdown().mean()));
    }
    double mean = each.stream().mapToDouble(Distribution::mean).average().orElse(0);
    say(mean <= WINDOWS, file, "windows' bounded slowdown", mean, "at most 30; each:" + means);
  }

  private void accounts(Path cluster) throws TraceException {
    String conf = cluster.resolve("slurm.conf").toString();
    ParsedConfig parsed = SlurmConf.parse(conf, new LocalConfigSource());
    Machine machine = Machine.of(parsed.config());
    AccountingTree tree =
        AccountsFile.read(cluster.resolve("sacctmgr.script"), machine.name()).tree();
    Trace trace =
        Traces.read(
            cluster.resolve("workload_5k.events.gz"),
            new SwfRules(Cleaning.IMPOSSIBLE, machine.cpus()));
    Workload workload = new Workload(trace.start(), trace.jobs(), null, tree);
    Schedule slurm = new Replay(machine, workload, SLURM, Progress.SILENT).run();
    Schedule own = new Replay(machine, workload, OWN_BY_CONF, Progress.SILENT).run();
    RunReport before = report(trace, SLURM, slurm);
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
      Schedule own,
      Schedule slurm,
      AccountingTree tree,
      ToDoubleFunction<RunReport> figure) {
    double found = fairness(own, tree, figure);
    double before = fairness(slurm, tree, figure);
    String against = String.format(Locale.ROOT, "at least %.3f, that of %s", before, SLURM.text());
    say(found >= before, "ub-hpc", what, found, against);
  }

  /** Jain's index of a figure of each account: 1 if all are equal. */
  private static double fairness(
      Schedule schedule, AccountingTree tree, ToDoubleFunction<RunReport> figure) {
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
      Schedule alone = new Schedule(results, schedule.cpus(), "");
      RunReport one = RunReport.of("", SLURM, null, alone, Duration.ZERO);
      double mean = figure.applyAsDouble(one);
      if (one.counts().jobs() > one.counts().notRun()) {
        sum += mean;
        squares += mean * mean;
        count++;
      }
    }
    return squares == 0 ? 1 : sum * sum / (count * squares);
  }

  private Trace trace(String file, Cleaning cleaning) throws TraceException {
    return Traces.read(traces.resolve(file), new SwfRules(cleaning, null));
  }

  private static RunReport replay(Trace trace, List<TraceJob> jobs, Policy policy) {
    Integer processors = trace.processors();
    Machine machine = Machine.ofProcessors(processors == null ? 1 : processors);
    Workload workload = new Workload(trace.start(), jobs, null);
    return report(trace, policy, new Replay(machine, workload, policy, Progress.SILENT).run());
  }

  private static RunReport report(Trace trace, Policy policy, Schedule schedule) {
    return RunReport.of(trace.name(), policy, null, schedule, Duration.ZERO);
  }
}
