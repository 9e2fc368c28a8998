package io.dure.node;

import io.dure.core.config.Settings;
import io.dure.host.config.LocatedConfig;
import io.dure.host.log.Log;
import io.dure.host.log.LogLevel;
import io.dure.host.process.Machine;
import io.dure.host.process.PidFile;
import io.dure.host.process.ProcFs;
import io.dure.host.signal.DaemonSignal;
import io.dure.host.signal.DaemonSignals;
import io.dure.host.storage.Directories;
import io.dure.host.trust.ClusterKey;
import io.dure.host.user.Account;
import io.dure.host.user.Users;
import io.dure.node.job.NodeSetup;
import io.dure.protocol.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
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
          HardwareReport.lines(Machine.describe(), ProcFs.ofThisMachine().uptime())
              .forEach(System.out::println);
      case GRES -> HardwareReport.gres(Machine.describe()).forEach(System.out::println);
      case RUN -> serve(options, environment);
    }
    return 0;
  }

  private static void serve(SlurmdOptions options, Map<String, String> environment)
      throws StartException, IOException, InterruptedException {
    Machine machine = Machine.describe();
    NodeConfiguration configuration = new NodeConfiguration(options, environment, machine);
    NodeConfiguration.Loaded loaded = configuration.load();
    NodeSetup setup = loaded.setup();
    Settings.Daemon settings = setup.settings().daemon();
    String pidFile = setup.node().fill(settings.pidFile());
    // What is missing is told before anything is touched.
    ClusterKey key = key(loaded);
    Path shepherd = shepherd(options, environment);
    try (PidFile _ = claim(pidFile);
        Log log = log(options, setup);
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

  private static PidFile claim(String pidFile) throws StartException, IOException {
    try {
      return PidFile.claim(Path.of(pidFile));
    } catch (PidFile.AlreadyRunningException e) {
      throw new StartException("slurmd is running already: " + e.getMessage());
    } catch (IOException e) {
      throw new StartException("SlurmdPidFile " + pidFile + " cannot be written: " + e);
    }
  }

  private static Log log(SlurmdOptions options, NodeSetup setup) throws IOException {
    Settings.Daemon settings = setup.settings().daemon();
    String named = options.logFile();
    String file = named == null ? setup.node().fill(settings.logFile()) : named;
    LogLevel configured = LogLevel.parse(settings.debugLevel());
    LogLevel level = (configured == null ? LogLevel.INFO : configured).plus(options.verbosity());
    if (file.isEmpty()) {
      return Log.toStream(System.err, level, InstantSource.system(), ZoneId.systemDefault());
    }
    Path path = Path.of(file).toAbsolutePath();
    Directories.ensure(path.resolveSibling("."), 0755, null);
    return Log.toFile(
        path,
        options.foreground() ? System.err : null,
        level,
        InstantSource.system(),
        ZoneId.systemDefault());
  }

  private static ClusterKey key(NodeConfiguration.Loaded loaded)
      throws StartException, IOException {
    Account slurmUser =
        Users.ofThisMachine().userByName(loaded.setup().settings().controller().user());
    try {
      return ClusterKey.load(loaded.keyFile(), slurmUser == null ? 0 : slurmUser.uid());
    } catch (NoSuchFileException e) {
      throw new StartException(
          "there is no cluster key "
              + loaded.keyFile()
              + ": copy it from the controller's machine, where slurmctld makes it at its first"
              + " start");
    }
  }

  /** The shepherd that was named, or the one that was built with this program. */
  private static Path shepherd(SlurmdOptions options, Map<String, String> environment)
      throws StartException {
    String named =
        options.shepherd() == null ? environment.get("DURE_SHEPHERD") : options.shepherd();
    String home = System.getProperty("dure.home", ".");
    Path path = Path.of(named == null ? home + "/node/target/shepherd" : named).toAbsolutePath();
    if (!Files.isExecutable(path)) {
      throw new StartException(
          "the program that keeps jobs is not there or not executable: " + path);
    }
    return path.normalize();
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
