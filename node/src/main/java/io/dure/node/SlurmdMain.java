package io.dure.node;

import io.dure.host.config.LocatedConfig;
import io.dure.host.log.DaemonLog;
import io.dure.host.process.MachineHardware;
import io.dure.host.process.PidFile;
import io.dure.host.process.ProcFs;
import io.dure.host.signal.DaemonSignal;
import io.dure.host.signal.DaemonSignals;
import io.dure.host.trust.ClusterKey;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.SlurmdParameters.SocketKind;
import io.dure.node.job.NodeLocalConfig;
import io.dure.protocol.DureVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The program {@code slurmd}. */
public final class SlurmdMain {
  private SlurmdMain() {}

  /** Runs until it is told to end; exit code 1 if it could not start. */
  public static void main(String[] words) {
    int code;
    try {
      code = run(SlurmdOptions.parse(List.of(words)), System.getenv());
    } catch (SlurmdUsageException e) {
      System.err.println("slurmd: " + e.getMessage());
      System.err.print(SlurmdOptions.USAGE);
      code = 1;
    } catch (DaemonStartException | IOException e) {
      String.valueOf(e.getMessage())
          .lines()
          .forEach(line -> System.err.println("slurmd: fatal: " + line));
      code = 1;
    } catch (InterruptedException e) {
      code = 0;
    }
    System.exit(code);
  }

  private static int run(SlurmdOptions options, Map<String, String> environment)
      throws DaemonStartException, IOException, InterruptedException {
    switch (options.task()) {
      case HELP -> System.out.print(SlurmdOptions.USAGE);
      case VERSION -> System.out.println(DureVersion.LINE);
      case HARDWARE ->
          HardwareReport.lines(machine(options), ProcFs.ofThisMachine().uptime())
              .forEach(System.out::println);
      case GRES -> HardwareReport.gres(MachineHardware.describe()).forEach(System.out::println);
      case RUN -> serve(options, environment);
    }
    return 0;
  }

  private static MachineHardware machine(SlurmdOptions options) throws IOException {
    SocketKind kind = options.parameters().sockets();
    MachineHardware machine = MachineHardware.describe();
    return kind == null ? machine : machine.withSockets(kind);
  }

  private static void serve(SlurmdOptions options, Map<String, String> environment)
      throws DaemonStartException, IOException, InterruptedException {
    MachineHardware found = machine(options);
    NodeConfigLoader first = new NodeConfigLoader(options, environment, found);
    // The file may say that other parts of the machine are its sockets.
    MachineHardware machine = found.withSockets(first.load().setup().sockets());
    NodeConfigLoader configuration = new NodeConfigLoader(options, environment, machine);
    NodeConfigLoader.Loaded loaded = configuration.load();
    NodeLocalConfig setup = loaded.setup();
    ClusterSettings.Daemon settings = setup.settings().daemon();
    String pidFile = setup.node().fill(settings.pidFile());
    // What is missing is told before anything is touched.
    ClusterKey key = StartupChecks.key(loaded);
    Path shepherd = StartupChecks.shepherd(options, environment);
    try (PidFile _ = StartupChecks.claim(pidFile);
        DaemonLog log = StartupChecks.log(options, setup);
        NodeDaemon daemon =
            new NodeDaemon(
                new NodeDaemon.DaemonParts(
                    configuration,
                    loaded,
                    machine,
                    key,
                    shepherd,
                    LocatedConfig.socketOf(pidFile),
                    options.clearSpool(),
                    log))) {
      loaded.remarks().forEach(log::info);
      DaemonSignals.listen(signal -> hear(signal, daemon, log));
      log.info(DureVersion.line() + ": slurmd of node " + setup.nodeName() + " started");
      if (environment.containsKey("DURE_READY")) {
        System.out.println("ready");
      }
      daemon.run();
      log.info("slurmd of node " + setup.nodeName() + " stopped; its jobs keep running");
    }
  }

  private static void hear(DaemonSignal signal, NodeDaemon daemon, DaemonLog log) {
    switch (signal) {
      case STOP -> daemon.end();
      case RECONFIGURE -> {
        reopen(log);
        daemon.reconfigure();
      }
      case REOPEN_LOG -> reopen(log);
    }
  }

  private static void reopen(DaemonLog log) {
    try {
      log.reopen();
    } catch (IOException e) {
      log.error("cannot reopen the log file, still writing to the old one: " + e.getMessage());
    }
  }
}
