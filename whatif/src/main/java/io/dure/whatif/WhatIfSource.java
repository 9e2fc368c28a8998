package io.dure.whatif;

import io.dure.cluster.ClusterState;
import io.dure.cluster.StateSnapshot;
import io.dure.host.config.LocalConfigSource;
import io.dure.model.accounting.AccountingTree;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.NodeConfig;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.ParsedConfig;
import io.dure.model.config.slurmconf.SlurmConfParser;
import io.dure.model.node.NodeCondition;
import io.dure.rules.priority.PriorityTable;
import io.dure.twin.ReplayInput;
import io.dure.twin.ReplayMachine;
import io.dure.twin.ReplayRunTimes;
import io.dure.twin.TraceReplay;
import io.dure.twin.accounts.AccountsFile;
import io.dure.twin.accounts.TraceAccounts;
import io.dure.twin.policy.BackfillPolicy;
import io.dure.twin.policy.EstimateSource;
import io.dure.twin.policy.QueueOrderPolicy;
import io.dure.twin.policy.ReplayPolicy;
import io.dure.twin.result.ReplayProgressListener;
import io.dure.twin.simulate.SimulateUsageException;
import io.dure.twin.trace.InitialState;
import io.dure.twin.trace.PointInTimeJournalReader;
import io.dure.twin.trace.SkippedRecords;
import io.dure.twin.trace.SwfReadOptions;
import io.dure.twin.trace.TraceException;
import io.dure.twin.trace.TraceJob;
import io.dure.twin.trace.TraceOpener;
import io.dure.twin.trace.WorkloadTrace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a what-if begins: a cluster in the middle of its work.
 *
 * @param name what it was read from
 * @param moment what is looked at, for a heading
 * @param state nodes, rules and accounts at that moment
 * @param replay all that happens, at that moment
 * @param window the time that is looked at
 * @param runTimes how long jobs run, unless something else is asked for
 * @param left what was left out, by cause
 */
record WhatIfSource(
    String name,
    String moment,
    ClusterState state,
    TraceReplay replay,
    TimeWindow window,
    ReplayRunTimes runTimes,
    List<SkippedRecords> left) {
  private static final Duration DAY = Duration.ofDays(1);

  WhatIfSource {
    left = List.copyOf(left);
  }

  /**
   * Opens what was asked for.
   *
   * @param now the time
   * @param here the time zone of whoever asks
   */
  static WhatIfSource open(WhatIfOptions options, Path configuration, Instant now, ZoneId here)
      throws SimulateUsageException, TraceException {
    Path trace = options.from().trace();
    if (trace != null && !Files.isDirectory(trace)) {
      return ofLog(options, trace);
    }
    Path directory = trace;
    if (directory == null) {
      Path conf = options.from().conf() == null ? configuration : options.from().conf();
      directory = Path.of(parsed(conf).settings().controller().stateSaveLocation());
    } else if (options.from().conf() != null) {
      throw new SimulateUsageException(
          "--conf: a journal has the configuration that was in force; --set changes it");
    }
    return ofJournal(options, directory, now, here);
  }

  /** How the cluster's own scheduler works under these settings. */
  static ReplayPolicy policy(ClusterSettings settings, @Nullable QueueOrderPolicy asked)
      throws SimulateUsageException {
    boolean factors = PriorityTable.isInForce(settings);
    boolean own = settings.scheduling().policy() != null;
    if (asked == QueueOrderPolicy.MULTIFACTOR && !factors) {
      throw new SimulateUsageException(
          "--order multifactor: "
              + (own
                  ? "SchedulerParameters has policy=dure: --set SchedulerParameters=... without it"
                  : "the configuration has no weights: --set PriorityWeightAge=... and the like"));
    }
    QueueOrderPolicy order =
        asked != null
            ? asked
            : own
                ? QueueOrderPolicy.DURE
                : factors ? QueueOrderPolicy.MULTIFACTOR : QueueOrderPolicy.FCFS;
    EstimateSource estimates =
        order == QueueOrderPolicy.DURE ? EstimateSource.PREDICTED : EstimateSource.LIMIT;
    return new ReplayPolicy(order, BackfillPolicy.CONF, estimates, null);
  }

  private static ClusterConfig parsed(Path conf) throws TraceException {
    LocalConfigSource files = new LocalConfigSource();
    if (files.read(conf.toString()) == null) {
      throw new TraceException(
          conf.toString(),
          "cannot be read",
          "name a slurm.conf with --conf, or what to begin from with --trace");
    }
    ParsedConfig parsed = SlurmConfParser.parse(conf.toString(), files);
    for (ConfigDiagnostic error : parsed.errors()) {
      throw new TraceException(error.file(), error.line(), 1, error.message(), error.remedy());
    }
    return parsed.config();
  }

  private static WhatIfSource ofJournal(
      WhatIfOptions options, Path directory, Instant now, ZoneId here)
      throws SimulateUsageException, TraceException {
    if (!Files.isReadable(directory)) {
      throw new TraceException(
          directory.toString(),
          "cannot be read",
          "ask as the user that the controller runs as, or name another directory with --trace");
    }
    TimeWindow asked = TimeWindow.asked(options.from(), options.lasts(), null, here);
    Instant at = asked == null ? Instant.MAX : asked.from();
    PointInTimeJournalReader.PointInTime found = PointInTimeJournalReader.read(directory, at);
    Instant latest = found.newest().isAfter(now) ? found.newest() : now;
    if (asked != null && asked.from().isAfter(latest)) {
      throw new SimulateUsageException(
          "that time has not come: the journal's last record is of "
              + LocalDateTime.ofInstant(found.newest(), here).truncatedTo(ChronoUnit.SECONDS)
              + "; without --day and --from the cluster goes on from now");
    }
    TimeWindow window = asked;
    String moment;
    if (window == null) {
      boolean stale = found.newest().plus(DAY).isBefore(now);
      Instant from = stale ? found.newest() : now;
      Duration lasts = options.lasts() == null ? DAY : options.lasts();
      window = new TimeWindow(from, from.plus(lasts)).whole();
      moment = stale ? "The cluster as its journal leaves it" : "The cluster now";
    } else {
      moment = "The cluster's own past";
    }
    InitialState read = found.beginning();
    InitialState beginning = new InitialState(window.from(), read.state(), read.jobs());
    List<TraceJob> jobs = new ArrayList<>();
    beginning.jobs().forEach(one -> jobs.add(one.job()));
    for (TraceJob job : found.came()) {
      if (job.submit().isBefore(window.to())) {
        jobs.add(job);
      }
    }
    if (jobs.isEmpty()) {
      throw new TraceException(
          directory.toString(),
          "no job runs, waits or comes at that time",
          "name another time with --day or --from");
    }
    ReplayInput workload =
        new ReplayInput(window.from(), jobs, null, read.state().accounts(), beginning);
    ReplayPolicy policy = policy(read.state().settings(), null);
    TraceReplay replay =
        new TraceReplay(
            ReplayMachine.of(read.state()), workload, policy, ReplayProgressListener.SILENT);
    String name = read.state().settings().controller().clusterName();
    return new WhatIfSource(
        name, moment, read.state(), replay, window, ReplayRunTimes.KNOWN, found.left());
  }

  private static WhatIfSource ofLog(WhatIfOptions options, Path file)
      throws SimulateUsageException, TraceException {
    Path conf = options.from().conf();
    if (conf == null) {
      throw new SimulateUsageException(
          "--trace " + file.getFileName() + ": say with --conf on which machine, a slurm.conf");
    }
    ClusterConfig config = parsed(conf);
    if (config.nodes().isEmpty()) {
      throw new TraceException(conf.toString(), "it describes no node", "write NodeName lines");
    }
    int cpus = ReplayMachine.of(config).cpus();
    WorkloadTrace trace =
        TraceOpener.read(file, new SwfReadOptions(SwfReadOptions.Cleaning.IMPOSSIBLE, cpus));
    AccountingTree accounts = TraceAccounts.of(trace.jobs());
    if (options.from().accounts() != null) {
      AccountsFile.Accounts read =
          AccountsFile.read(
              options.from().accounts(), config.settings().controller().clusterName());
      trace = trace.skipping(read.skipped());
      accounts = read.tree();
    }
    TimeWindow window =
        TimeWindow.asked(options.from(), options.lasts(), trace.jobs(), ZoneOffset.UTC);
    TimeWindow looked = window == null ? TimeWindow.of(trace.jobs(), options.lasts()) : window;
    List<TraceJob> jobs =
        trace.jobs().stream().filter(job -> job.submit().isBefore(looked.to())).toList();
    if (jobs.isEmpty()) {
      throw new SimulateUsageException(
          "no job comes before %s: the log is from %s to %s"
              .formatted(
                  looked.to(), trace.jobs().getFirst().submit(), trace.jobs().getLast().submit()));
    }
    ClusterState state = described(config, accounts);
    ReplayInput workload = new ReplayInput(trace.start(), jobs, null, accounts);
    ReplayPolicy policy = policy(config.settings(), null);
    TraceReplay replay =
        new TraceReplay(ReplayMachine.of(state), workload, policy, ReplayProgressListener.SILENT);
    return new WhatIfSource(
        trace.name(),
        "The log",
        state,
        replay,
        looked,
        ReplayRunTimes.AS_THEY_ARE,
        trace.skipped());
  }

  /** A cluster without jobs, all nodes of which answer. */
  private static ClusterState described(ClusterConfig config, AccountingTree accounts) {
    List<StateSnapshot.Node> nodes = new ArrayList<>();
    for (NodeConfig node : config.nodes()) {
      nodes.add(new StateSnapshot.Node(node, NodeCondition.GOOD, null, null, null, false));
    }
    return new StateSnapshot(
            config,
            config.partitions(),
            nodes,
            List.of(),
            1,
            0,
            List.of(),
            List.of(),
            List.of(),
            accounts.records(),
            null,
            null,
            null,
            null,
            null,
            0,
            null,
            null,
            null)
        .restore();
  }
}
