package io.dure.node;

import io.dure.core.config.Settings;
import io.dure.host.config.LocatedConfig;
import io.dure.host.log.Log;
import io.dure.host.process.MachineHardware;
import io.dure.host.process.PidFile;
import io.dure.host.process.ProcFs;
import io.dure.host.signal.DaemonSignal;
import io.dure.host.signal.DaemonSignals;
import io.dure.host.trust.ClusterKey;
import io.dure.node.job.NodeSetup;
import io.dure.protocol.Version;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The program {@code slurmd}. */
public final class Main {
  private Main() {}

  /** Runs until it is told to end; exit code 1 if it could not start. */
  public static void main(String[] words) {
    int code;
    try {
      code = run(SlurmdOptions.parse(List.of(words)), System.getenv());
    } catch (UsageException e) {
      System.err.println("slurmd: " + e.getMessage());
      System.err.print(SlurmdOptions.USAGE);
      code = 1;
    } catch (StartException | IOException e) {
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
      throws StartException, IOException, InterruptedException {
    switch (options.task()) {
      case HELP -> System.out.print(SlurmdOptions.USAGE);
      case VERSION -> System.out.println(Version.line());
      case HARDWARE ->
          HardwareReport.lines(MachineHardware.describe(), ProcFs.ofThisMachine().uptime())
              .forEach(System.out::println);
      case GRES -> HardwareReport.gres(MachineHardware.describe()).forEach(System.out::println);
      case RUN -> serve(options, environment);
    }
    return 0;
  }

  private static void serve(SlurmdOptions options, Map<String, String> environment)
      throws StartException, IOException, InterruptedException {
    MachineHardware machine = MachineHardware.describe();
    NodeConfiguration configuration = new NodeConfiguration(options, environment, machine);
    NodeConfiguration.Loaded loaded = configuration.load();
    NodeSetup setup = loaded.setup();
    Settings.Daemon settings = setup.settings().daemon();
    String pidFile = setup.node().fill(settings.pidFile());
    // What is missing is told before anything is touched.
    ClusterKey key = StartupChecks.key(loaded);
    Path shepherd = StartupChecks.shepherd(options, environment);
    try (PidFile _ = StartupChecks.claim(pidFile);
        Log log = StartupChecks.log(options, setup);
        Daemon daemon =
            new Daemon(
                new Daemon.Parts(
                    configuration,
                    loaded,
                    machine,
                    key,
                    shepherd,
                    LocatedConfig.socketOf(pidFile),
                    options.clearSpool(),
                    log))) {
      loaded.remarks().forEach(log::verbose);
      DaemonSignals.listen(signal -> hear(signal, daemon, log));
      log.info(Version.line() + ": slurmd of node " + setup.nodeName() + " started");
      if (environment.containsKey("DURE_READY")) {
        System.out.println("ready");
      }
      daemon.run();
      log.info("slurmd of node " + setup.nodeName() + " ends; jobs go on");
    }
  }

  private static void hear(DaemonSignal signal, Daemon daemon, Log log) {
    switch (signal) {
      case STOP -> daemon.end();
      case RECONFIGURE -> {
        reopen(log);
        daemon.reconfigure();
      }
      case REOPEN_LOG -> reopen(log);
    }
  }

  private static void reopen(Log log) {
    try {
      log.reopen();
    } catch (IOException e) {
      log.error("the log cannot be opened again: " + e.getMessage());
    }
  }
}
