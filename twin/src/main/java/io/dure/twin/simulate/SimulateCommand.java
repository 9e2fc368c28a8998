package io.dure.twin.simulate;

import io.dure.model.accounting.AccountingTree;
import io.dure.twin.ReplayInput;
import io.dure.twin.ReplayMachine;
import io.dure.twin.TraceReplay;
import io.dure.twin.accounts.AccountsFile;
import io.dure.twin.accounts.TraceAccounts;
import io.dure.twin.forecast.ForecastingScheduler;
import io.dure.twin.gpupacking.PackingCommand;
import io.dure.twin.policy.BackfillPolicy;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.policy.ReplaySchedulers;
import io.dure.twin.report.ReplayHtmlReport;
import io.dure.twin.report.ReplayJsonReport;
import io.dure.twin.report.ReplayReport;
import io.dure.twin.report.ReplayTableReport;
import io.dure.twin.report.TraceWindow;
import io.dure.twin.result.ReplayProgressListener;
import io.dure.twin.result.ReplayResult;
import io.dure.twin.trace.SwfReadOptions;
import io.dure.twin.trace.TraceException;
import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceJobRequest;
import io.dure.twin.trace.TraceOpener;
import io.dure.twin.trace.WorkloadTrace;
import io.dure.virtual.VirtualScheduler;
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
final class SimulateCommand {
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
   * @param bar whether {@code err} is a terminal
   */
  SimulateCommand(
      PrintStream out, PrintStream err, Path directory, LongSupplier nanos, boolean bar) {
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
      out.print(SimulateOptionReader.USAGE);
      out.print(PackingCommand.USAGE);
      return 0;
    }
    try {
      simulate(new SimulateOptionReader().read(arguments, directory));
      return 0;
    } catch (SimulateUsageException e) {
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
      throws SimulateUsageException, TraceException, IOException {
    WorkloadTrace trace = trace(options);
    if (options.accounts() != null) {
      AccountsFile.Accounts read =
          AccountsFile.read(options.accounts(), machines(options).machine(trace).name());
      accounts = read.tree();
      trace = trace.skipping(read.skipped());
    }
    List<ReplayPolicy> policies = policies(options);
    check(options, trace, policies);
    List<ReplayReport> reports = new ArrayList<>();
    List<ReplayHtmlReport.Replayed> replayed = new ArrayList<>();
    for (ReplayPolicy policy : policies) {
      reports.add(report(options, trace, policy, replayed));
    }
    out.print(
        options.json()
            ? ReplayJsonReport.text(reports, trace.skipped())
            : ReplayTableReport.text(reports, trace.skipped()));
    Path html = options.html();
    if (html != null) {
      Files.writeString(html, ReplayHtmlReport.text(reports, replayed, trace.skipped()));
    }
  }

  private static MachineOptions machines(SimulateOptions options) {
    return new MachineOptions(options.conf(), options.machine());
  }

  private static WorkloadTrace trace(SimulateOptions options) throws TraceException {
    SwfReadOptions rules = new SwfReadOptions(options.cleaning(), machines(options).processors());
    return TraceOpener.read(options.trace(), rules);
  }

  private static List<ReplayPolicy> policies(SimulateOptions options) {
    List<QueueOrderPolicy> orders =
        options.orders().isEmpty() ? List.of(QueueOrderPolicy.FCFS) : options.orders();
    List<Optional<Duration>> bounds =
        options.bounds().isEmpty() ? List.of(Optional.empty()) : options.bounds();
    List<ReplayPolicy> policies = new ArrayList<>();
    for (QueueOrderPolicy order : orders) {
      for (BackfillPolicy backfill : backfills(options, order)) {
        for (EstimateSource estimate : estimates(options, order)) {
          for (Optional<Duration> bound : bounds) {
            policies.add(new ReplayPolicy(order, backfill, estimate, bound.orElse(null)));
          }
        }
      }
    }
    return policies;
  }

  private static List<BackfillPolicy> backfills(SimulateOptions options, QueueOrderPolicy order) {
    if (!options.backfills().isEmpty()) {
      return options.backfills();
    }
    BackfillPolicy usual =
        order == QueueOrderPolicy.DURE ? BackfillPolicy.CONF : BackfillPolicy.EASY;
    return List.of(options.conf() == null ? usual : BackfillPolicy.CONF);
  }

  private static List<EstimateSource> estimates(SimulateOptions options, QueueOrderPolicy order) {
    EstimateSource usual =
        order == QueueOrderPolicy.DURE ? EstimateSource.PREDICTED : EstimateSource.LIMIT;
    return options.estimates().isEmpty() ? List.of(usual) : options.estimates();
  }

  private static void check(
      SimulateOptions options, WorkloadTrace trace, List<ReplayPolicy> policies)
      throws SimulateUsageException, TraceException {
    for (TraceWindow window : options.windows()) {
      if (window.start() + (long) window.count() > trace.jobs().size()) {
        throw new SimulateUsageException(
            "--window %s: the trace has %s jobs that can be replayed"
                .formatted(window.text(), trace.jobs().size()));
      }
    }
    boolean submissions = trace.jobs().getFirst().demand() instanceof TraceJobRequest.SbatchRequest;
    if (submissions && options.conf() == null) {
      throw new TraceException(
          trace.name(),
          "its jobs name partitions and nodes of a cluster",
          "describe the cluster with --conf slurm.conf");
    }
    if (options.conf() == null
        && policies.stream().anyMatch(p -> p.backfill() == BackfillPolicy.CONF)) {
      throw new SimulateUsageException("--backfill conf: name the configuration with --conf");
    }
    if (options.failures() != null && machines(options).machine(trace).nodeCount() == 1) {
      throw new SimulateUsageException(
          "--failures: the machine is one node, with which everything fails; say how many it has"
              + " with --nodes");
    }
  }

  private static boolean isCharged(SimulateOptions options, ReplayPolicy policy) {
    return policy.order() == QueueOrderPolicy.MULTIFACTOR
        || policy.order() == QueueOrderPolicy.DURE && options.conf() != null;
  }

  private ReplayReport report(
      SimulateOptions options,
      WorkloadTrace trace,
      ReplayPolicy policy,
      List<ReplayHtmlReport.Replayed> replayed)
      throws SimulateUsageException, TraceException {
    if (options.windows().isEmpty()) {
      return replay(options, trace, policy, null, replayed);
    }
    List<ReplayReport> windows = new ArrayList<>();
    for (TraceWindow window : options.windows()) {
      windows.add(replay(options, trace, policy, window, replayed));
    }
    return windows.size() == 1 ? windows.getFirst() : ReplayReport.together(windows);
  }

  private ReplayReport replay(
      SimulateOptions options,
      WorkloadTrace trace,
      ReplayPolicy policy,
      @Nullable TraceWindow window,
      List<ReplayHtmlReport.Replayed> replayed)
      throws SimulateUsageException, TraceException {
    List<TraceJob> jobs =
        window == null
            ? trace.jobs()
            : trace.jobs().subList(window.start(), window.start() + window.count());
    ReplayMachine machine = machines(options).machine(trace);
    long began = nanos.getAsLong();
    ProgressBar progress = new ProgressBar(err, policy.text(), nanos);
    AccountingTree told = accounts == null ? trace.accounts() : accounts;
    AccountingTree charged =
        told == null && isCharged(options, policy) ? TraceAccounts.of(jobs) : told;
    ReplayInput workload = new ReplayInput(trace.start(), jobs, options.failures(), charged);
    Integer every = options.forecastEvery();
    ForecastingScheduler foresight =
        every == null ? null : new ForecastingScheduler(policy, machine.settings(), every);
    VirtualScheduler engine =
        foresight == null ? ReplaySchedulers.of(policy, machine.settings()) : foresight;
    ReplayResult schedule =
        new TraceReplay(
                machine, workload, policy, bar ? progress : ReplayProgressListener.SILENT, engine)
            .run();
    Duration wall = Duration.ofNanos(nanos.getAsLong() - began);
    if (bar) {
      progress.clear();
    }
    ReplayReport report =
        ReplayReport.of(trace.name(), policy, window, schedule, wall)
            .withForecastError(foresight == null ? null : foresight.error());
    if (options.html() != null) {
      replayed.add(new ReplayHtmlReport.Replayed(report, schedule));
    }
    return report;
  }
}
