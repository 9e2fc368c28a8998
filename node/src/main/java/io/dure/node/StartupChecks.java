package io.dure.node;

import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.host.log.SystemLog;
import io.dure.host.process.PidFile;
import io.dure.host.storage.DirectoryCreator;
import io.dure.host.trust.ClusterKey;
import io.dure.host.user.CachedUserDatabase;
import io.dure.host.user.PasswdEntry;
import io.dure.model.config.ClusterSettings;
import io.dure.node.job.NodeLocalConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;

/** What must be there before the daemon is, each with what to do if it is not. */
final class StartupChecks {
  private StartupChecks() {}

  static PidFile claim(String pidFile) throws DaemonStartException, IOException {
    try {
      return PidFile.claim(Path.of(pidFile));
    } catch (PidFile.AlreadyRunningException e) {
      throw new DaemonStartException("slurmd is already running: " + e.getMessage());
    } catch (IOException e) {
      throw new DaemonStartException("SlurmdPidFile " + pidFile + " cannot be written: " + e);
    }
  }

  static DaemonLog log(SlurmdOptions options, NodeLocalConfig setup) throws IOException {
    DaemonLog log = plainLog(options, setup);
    log.configure(setup.settings());
    String told = setup.settings().rules().nodeSyslog();
    LogLevel level = told == null ? null : LogLevel.parse(told);
    return level == null ? log : log.also(level, SystemLog.open("slurmd")::write);
  }

  /** The file of the log, empty for none. */
  static String logFile(SlurmdOptions options, NodeLocalConfig setup) {
    String named = options.logFile();
    return named == null ? setup.node().fill(setup.settings().daemon().logFile()) : named;
  }

  private static DaemonLog plainLog(SlurmdOptions options, NodeLocalConfig setup)
      throws IOException {
    ClusterSettings.Daemon settings = setup.settings().daemon();
    String file = logFile(options, setup);
    LogLevel configured = LogLevel.parse(settings.debugLevel());
    LogLevel level = (configured == null ? LogLevel.INFO : configured).plus(options.verbosity());
    if (file.isEmpty()) {
      return DaemonLog.toStream(System.err, level, InstantSource.system(), ZoneId.systemDefault());
    }
    Path path = Path.of(file).toAbsolutePath();
    DirectoryCreator.ensure(path.resolveSibling("."), 0755, null);
    return DaemonLog.toFile(
        path,
        options.foreground() ? System.err : null,
        level,
        InstantSource.system(),
        ZoneId.systemDefault(),
        !setup.settings().controller().privateData().isEmpty());
  }

  static ClusterKey key(NodeConfigLoader.Loaded loaded) throws DaemonStartException, IOException {
    PasswdEntry slurmUser =
        CachedUserDatabase.ofThisMachine()
            .userByName(loaded.setup().settings().controller().user());
    try {
      return ClusterKey.load(loaded.keyFile(), slurmUser == null ? 0 : slurmUser.uid());
    } catch (NoSuchFileException e) {
      throw new DaemonStartException(
          "there is no cluster key "
              + loaded.keyFile()
              + ": copy it from the controller's machine, where slurmctld makes it at its first"
              + " start");
    }
  }

  /** The shepherd that was named, or the one that was built with this program. */
  static Path shepherd(SlurmdOptions options, Map<String, String> environment)
      throws DaemonStartException {
    String named =
        options.shepherd() == null ? environment.get("DURE_SHEPHERD") : options.shepherd();
    String home = System.getProperty("dure.home", ".");
    Path path = Path.of(named == null ? home + "/node/target/shepherd" : named).toAbsolutePath();
    if (!Files.isExecutable(path)) {
      throw new DaemonStartException(
          "shepherd program is missing or not executable: " + path + "; build it by ./dure build");
    }
    return path.normalize();
  }
}
