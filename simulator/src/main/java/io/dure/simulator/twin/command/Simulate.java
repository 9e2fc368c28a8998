package io.dure.simulator.twin.command;

import io.dure.core.accounting.AccountingTree;
import io.dure.simulator.twin.Backfill;
import io.dure.simulator.twin.Engine;
import io.dure.simulator.twin.Engines;
import io.dure.simulator.twin.Estimates;
import io.dure.simulator.twin.Machine;
import io.dure.simulator.twin.Order;
import io.dure.simulator.twin.Policy;
import io.dure.simulator.twin.Progress;
import io.dure.simulator.twin.Replay;
import io.dure.simulator.twin.Schedule;
import io.dure.simulator.twin.Workload;
import io.dure.simulator.twin.accounts.AccountsFile;
import io.dure.simulator.twin.accounts.NamedAccounts;
import io.dure.simulator.twin.forecast.Foresight;
import io.dure.simulator.twin.packing.PackingCommand;
import io.dure.simulator.twin.report.HtmlReport;
import io.dure.simulator.twin.report.JsonReport;
import io.dure.simulator.twin.report.RunReport;
import io.dure.simulator.twin.report.TableReport;
import io.dure.simulator.twin.report.Window;
import io.dure.simulator.twin.trace.Demand;
import io.dure.simulator.twin.trace.SwfRules;
import io.dure.simulator.twin.trace.Trace;
import io.dure.simulator.twin.trace.TraceException;
import io.dure.simulator.twin.trace.TraceJob;
import io.dure.simulator.twin.trace.Traces;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code ./dure simulate}: reads a log, replays it under each policy, and tells what came of it.
 */
final class Simulate {
  private static final int WRONG = 2;

  private final PrintStream out;
  private final PrintStream err;
  private final Path directory;
  private final LongSupplier nanos;
  private final boolean bar;
  private @Nullable AccountingTree accounts;

  /**
   * A call.
   *
   * @param directory from which files are named
   * @param nanos a clock that only runs forward, in nanoseconds
   * @param bar whether somebody looks at {@code err} while it runs
   */
  Simulate(PrintStream out, PrintStream err, Path directory, LongSupplier nanos, boolean bar) {
    this.out = out;
    this.err = err;
    this.directory = directory;
    this.nanos = nanos;
    this.bar = bar;
  }

  /** Exit code 0, 1 if the trace or the machine cannot be had, 2 for wrong usage. */
  int run(List<String> arguments) {
    if (PackingCommand.isMeant(arguments)) {
      return new PackingCommand(out, err, directory, nanos).run(arguments);
    }
    if (arguments.contains("--help") || arguments.contains("-h")) {
      out.print(OptionReader.USAGE);
      out.print(PackingCommand.USAGE);
      return 0;
    }
    try {
      simulate(new OptionReader().read(arguments, directory));
      return 0;
    } catch (UsageException e) {
      err.println("simulate: " + e.getMessage());
      return WRONG;
    } catch (TraceException e) {
      err.println("simulate: " + e.text());
      return 1;
    } catch (IOException e) {
      err.println("simulate: cannot write: " + e.getMessage());
      return 1;
    }
  }

  private void simulate(SimulateOptions options)
      throws UsageException, TraceException, IOException {
    Trace trace = trace(options);
    if (options.accounts() != null) {
      AccountsFile.Accounts read =
          AccountsFile.read(options.accounts(), machines(options).machine(trace).name());
      accounts = read.tree();
      trace = trace.skipping(read.skipped());
    }
    List<Policy> policies = policies(options);
    check(options, trace, policies);
    List<RunReport> reports = new ArrayList<>();
    List<HtmlReport.Replayed> replayed = new ArrayList<>();
    for (Policy policy : policies) {
      reports.add(report(options, trace, policy, replayed));
    }
    out.print(
        options.json()
            ? JsonReport.text(reports, trace.skipped())
            : TableReport.text(reports, trace.skipped()));
    Path html = options.html();
    if (html != null) {
      Files.writeString(html, HtmlReport.text(reports, replayed, trace.skipped()));
    }
  }

  private static Machines machines(SimulateOptions options) {
    return new Machines(options.conf(), options.machine());
  }

  private static Trace trace(SimulateOptions options) throws TraceException {
    SwfRules rules = new SwfRules(options.cleaning(), machines(options).processors());
    return Traces.read(options.trace(), rules);
  }

  private static List<Policy> policies(SimulateOptions options) {
    List<Order> orders = options.orders().isEmpty() ? List.of(Order.FCFS) : options.orders();
    List<Optional<Duration>> bounds =
        options.bounds().isEmpty() ? List.of(Optional.empty()) : options.bounds();
    List<Policy> policies = new ArrayList<>();
    for (Order order : orders) {
      for (Backfill backfill : backfills(options, order)) {
        for (Estimates estimate : estimates(options, order)) {
          for (Optional<Duration> bound : bounds) {
            policies.add(new Policy(order, backfill, estimate, bound.orElse(null)));
          }
        }
      }
    }
    return policies;
  }

  private static List<Backfill> backfills(SimulateOptions options, Order order) {
    if (!options.backfills().isEmpty()) {
      return options.backfills();
    }
    Backfill usual = order == Order.DURE ? Backfill.SJBF : Backfill.EASY;
    return List.of(options.conf() == null ? usual : Backfill.CONF);
  }

  private static List<Estimates> estimates(SimulateOptions options, Order order) {
    Estimates usual = order == Order.DURE ? Estimates.PREDICTED : Estimates.LIMIT;
    return options.estimates().isEmpty() ? List.of(usual) : options.estimates();
  }

  private static void check(SimulateOptions options, Trace trace, List<Policy> policies)
      throws UsageException, TraceException {
    for (Window window : options.windows()) {
      if (window.start() + (long) window.count() > trace.jobs().size()) {
        throw new UsageException(
            "--window "
                + window.text()
                + ": the trace has "
                + trace.jobs().size()
                + " jobs that can be replayed");
      }
    }
    boolean submissions = trace.jobs().getFirst().demand() instanceof Demand.Submission;
    if (submissions && options.conf() == null) {
      throw new TraceException(
          trace.name(),
          "its jobs name partitions and nodes of a cluster",
          "describe the cluster with --conf slurm.conf");
    }
    if (options.conf() == null && policies.stream().anyMatch(p -> p.backfill() == Backfill.CONF)) {
      throw new UsageException("--backfill conf: name the configuration with --conf");
    }
    if (options.failures() != null && machines(options).machine(trace).nodeCount() == 1) {
      throw new UsageException(
          "--failures: the machine is one node, with which everything fails; say how many it has"
              + " with --nodes");
    }
  }

  private static boolean isCharged(SimulateOptions options, Policy policy) {
    return policy.order() == Order.MULTIFACTOR
        || policy.order() == Order.DURE && options.conf() != null;
  }

  private RunReport report(
      SimulateOptions options, Trace trace, Policy policy, List<HtmlReport.Replayed> replayed)
      throws UsageException, TraceException {
    if (options.windows().isEmpty()) {
      return replay(options, trace, policy, null, replayed);
    }
    List<RunReport> windows = new ArrayList<>();
    for (Window window : options.windows()) {
      windows.add(replay(options, trace, policy, window, replayed));
    }
    return windows.size() == 1 ? windows.getFirst() : RunReport.together(windows);
  }

  private RunReport replay(
      SimulateOptions options,
      Trace trace,
      Policy policy,
      @Nullable Window window,
      List<HtmlReport.Replayed> replayed)
      throws UsageException, TraceException {
    List<TraceJob> jobs =
        window == null
            ? trace.jobs()
            : trace.jobs().subList(window.start(), window.start() + window.count());
    Machine machine = machines(options).machine(trace);
    long began = nanos.getAsLong();
    ProgressBar progress = new ProgressBar(err, policy.text(), nanos);
    AccountingTree told = accounts == null ? trace.accounts() : accounts;
    AccountingTree charged =
        told == null && isCharged(options, policy) ? NamedAccounts.of(jobs) : told;
    Workload workload = new Workload(trace.start(), jobs, options.failures(), charged);
    Integer every = options.forecastEvery();
    Foresight foresight = every == null ? null : new Foresight(policy, machine.settings(), every);
    Engine engine = foresight == null ? Engines.of(policy, machine.settings()) : foresight;
    Schedule schedule =
        new Replay(machine, workload, policy, bar ? progress : Progress.SILENT, engine).run();
    Duration wall = Duration.ofNanos(nanos.getAsLong() - began);
    if (bar) {
      progress.clear();
    }
    RunReport report =
        RunReport.of(trace.name(), policy, window, schedule, wall)
            .with(foresight == null ? null : foresight.error());
    if (options.html() != null) {
      replayed.add(new HtmlReport.Replayed(report, schedule));
    }
    return report;
  }
}
