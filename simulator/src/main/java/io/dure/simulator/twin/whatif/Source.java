package io.dure.simulator.twin.whatif;

import io.dure.core.accounting.AccountingTree;
import io.dure.core.config.ClusterConfig;
import io.dure.core.config.Diagnostic;
import io.dure.core.config.NodeConfig;
import io.dure.core.config.ParsedConfig;
import io.dure.core.config.Settings;
import io.dure.core.config.SlurmConf;
import io.dure.core.controller.ClusterState;
import io.dure.core.controller.StateSnapshot;
import io.dure.core.model.NodeCondition;
import io.dure.core.scheduler.priority.PriorityTable;
import io.dure.host.config.LocalConfigSource;
import io.dure.simulator.twin.Backfill;
import io.dure.simulator.twin.Estimates;
import io.dure.simulator.twin.Machine;
import io.dure.simulator.twin.Order;
import io.dure.simulator.twin.Policy;
import io.dure.simulator.twin.Progress;
import io.dure.simulator.twin.Replay;
import io.dure.simulator.twin.RunTimes;
import io.dure.simulator.twin.Workload;
import io.dure.simulator.twin.accounts.AccountsFile;
import io.dure.simulator.twin.accounts.NamedAccounts;
import io.dure.simulator.twin.command.UsageException;
import io.dure.simulator.twin.trace.Beginning;
import io.dure.simulator.twin.trace.JournalStart;
import io.dure.simulator.twin.trace.Skip;
import io.dure.simulator.twin.trace.SwfRules;
import io.dure.simulator.twin.trace.Trace;
import io.dure.simulator.twin.trace.TraceException;
import io.dure.simulator.twin.trace.TraceJob;
import io.dure.simulator.twin.trace.Traces;
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
record Source(
    String name,
    String moment,
    ClusterState state,
    Replay replay,
    Window window,
    RunTimes runTimes,
    List<Skip> left) {
  private static final Duration DAY = Duration.ofDays(1);

  Source {
    left = List.copyOf(left);
  }

  /**
   * Opens what was asked for.
   *
   * @param now the time
   * @param here the time zone of whoever asks
   */
  static Source open(WhatIfOptions options, Path configuration, Instant now, ZoneId here)
      throws UsageException, TraceException {
    Path trace = options.from().trace();
    if (trace != null && !Files.isDirectory(trace)) {
      return ofLog(options, trace);
    }
    Path directory = trace;
    if (directory == null) {
      Path conf = options.from().conf() == null ? configuration : options.from().conf();
      directory = Path.of(parsed(conf).settings().controller().stateSaveLocation());
    } else if (options.from().conf() != null) {
      throw new UsageException(
          "--conf: a journal has the configuration that was in force; --set changes it");
    }
    return ofJournal(options, directory, now, here);
  }

  /** How the cluster's own scheduler works under these settings. */
  static Policy policy(Settings settings, @Nullable Order asked) throws UsageException {
    boolean factors = PriorityTable.isInForce(settings);
    boolean own = settings.scheduling().policy() != null;
    if (asked == Order.MULTIFACTOR && !factors) {
      throw new UsageException(
          "--order multifactor: "
              + (own
                  ? "SchedulerParameters has policy=dure: --set SchedulerParameters=... without it"
                  : "the configuration has no weights: --set PriorityWeightAge=... and the like"));
    }
    Order order =
        asked != null ? asked : own ? Order.DURE : factors ? Order.MULTIFACTOR : Order.FCFS;
    Estimates estimates = order == Order.DURE ? Estimates.PREDICTED : Estimates.LIMIT;
    return new Policy(order, Backfill.CONF, estimates, null);
  }

  private static ClusterConfig parsed(Path conf) throws TraceException {
    LocalConfigSource files = new LocalConfigSource();
    if (files.read(conf.toString()) == null) {
      throw new TraceException(
          conf.toString(),
          "cannot be read",
          "name a slurm.conf with --conf, or what to begin from with --trace");
    }
    ParsedConfig parsed = SlurmConf.parse(conf.toString(), files);
    for (Diagnostic error : parsed.errors()) {
      throw new TraceException(error.file(), error.line(), 1, error.message(), error.remedy());
    }
    return parsed.config();
  }

  private static Source ofJournal(WhatIfOptions options, Path directory, Instant now, ZoneId here)
      throws UsageException, TraceException {
    if (!Files.isReadable(directory)) {
      throw new TraceException(
          directory.toString(),
          "cannot be read",
          "ask as the user that the controller runs as, or name another directory with --trace");
    }
    Window asked = Window.asked(options.from(), options.lasts(), null, here);
    Instant at = asked == null ? Instant.MAX : asked.from();
    JournalStart.Found found = JournalStart.read(directory, at);
    Instant latest = found.newest().isAfter(now) ? found.newest() : now;
    if (asked != null && asked.from().isAfter(latest)) {
      throw new UsageException(
          "that time has not come: the journal's last record is of "
              + LocalDateTime.ofInstant(found.newest(), here).truncatedTo(ChronoUnit.SECONDS)
              + "; without --day and --from the cluster goes on from now");
    }
    Window window = asked;
    String moment;
    if (window == null) {
      boolean stale = found.newest().plus(DAY).isBefore(now);
      Instant from = stale ? found.newest() : now;
      Duration lasts = options.lasts() == null ? DAY : options.lasts();
      window = new Window(from, from.plus(lasts)).whole();
      moment = stale ? "The cluster as its journal leaves it" : "The cluster now";
    } else {
      moment = "The cluster's own past";
    }
    Beginning read = found.beginning();
    Beginning beginning = new Beginning(window.from(), read.state(), read.jobs());
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
    Workload workload = new Workload(window.from(), jobs, null, read.state().accounts(), beginning);
    Policy policy = policy(read.state().settings(), null);
    Replay replay = new Replay(Machine.of(read.state()), workload, policy, Progress.SILENT);
    String name = read.state().settings().controller().clusterName();
    return new Source(name, moment, read.state(), replay, window, RunTimes.KNOWN, found.left());
  }

  private static Source ofLog(WhatIfOptions options, Path file)
      throws UsageException, TraceException {
    Path conf = options.from().conf();
    if (conf == null) {
      throw new UsageException(
          "--trace " + file.getFileName() + ": say with --conf on which machine, a slurm.conf");
    }
    ClusterConfig config = parsed(conf);
    if (config.nodes().isEmpty()) {
      throw new TraceException(conf.toString(), "it describes no node", "write NodeName lines");
    }
    int cpus = Machine.of(config).cpus();
    Trace trace = Traces.read(file, new SwfRules(SwfRules.Cleaning.IMPOSSIBLE, cpus));
    AccountingTree accounts = NamedAccounts.of(trace.jobs());
    if (options.from().accounts() != null) {
      AccountsFile.Accounts read =
          AccountsFile.read(
              options.from().accounts(), config.settings().controller().clusterName());
      trace = trace.skipping(read.skipped());
      accounts = read.tree();
    }
    Window window = Window.asked(options.from(), options.lasts(), trace.jobs(), ZoneOffset.UTC);
    Window looked = window == null ? Window.of(trace.jobs(), options.lasts()) : window;
    List<TraceJob> jobs =
        trace.jobs().stream().filter(job -> job.submit().isBefore(looked.to())).toList();
    if (jobs.isEmpty()) {
      throw new UsageException(
          "no job comes before "
              + looked.to()
              + ": the log is from "
              + trace.jobs().getFirst().submit()
              + " to "
              + trace.jobs().getLast().submit());
    }
    ClusterState state = described(config, accounts);
    Workload workload = new Workload(trace.start(), jobs, null, accounts);
    Policy policy = policy(config.settings(), null);
    Replay replay = new Replay(Machine.of(state), workload, policy, Progress.SILENT);
    return new Source(
        trace.name(), "The log", state, replay, looked, RunTimes.AS_THEY_ARE, trace.skipped());
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
            null)
        .restore();
  }
}
