package io.dure.controller;

import io.dure.controller.server.Listener;
import io.dure.host.config.LocatedConfig;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.host.log.SystemLog;
import io.dure.host.process.PidFile;
import io.dure.host.process.ProcFs;
import io.dure.host.storage.DirectoryCreator;
import io.dure.host.storage.FileModes;
import io.dure.host.storage.FileOwner;
import io.dure.host.trust.ClusterTrust;
import io.dure.host.user.CachedUserDatabase;
import io.dure.host.user.CurrentProcess;
import io.dure.host.user.PasswdEntry;
import io.dure.host.user.Privileges;
import io.dure.model.config.ClusterSettings;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What must stand before the controller can serve, some of which only root may do: pid file, log,
 * addresses, the cluster's key and authority. Made as root or as SlurmUser; afterwards the process
 * runs as SlurmUser.
 *
 * @param pidFile claimed
 * @param log open
 * @param sockets bound, not yet accepting
 * @param trust key and authority
 * @param slurmUid number of SlurmUser
 * @param host the line of the configuration that means this controller
 */
record ControllerResources(
    PidFile pidFile,
    DaemonLog log,
    Listener.Sockets sockets,
    ClusterTrust trust,
    int slurmUid,
    ClusterSettings.Host host)
    implements Closeable {

  /**
   * Lays it.
   *
   * @throws IOException if something cannot be had; the message names it and the remedy
   * @throws PidFile.AlreadyRunningException if another controller has the pid file
   */
  static ControllerResources lay(
      LocatedConfig config, SlurmctldOptions options, CachedUserDatabase users) throws IOException {
    ClusterSettings.Controller own = config.parsed().config().settings().controller();
    PasswdEntry slurmUser = slurmUser(users, own.user());
    boolean drop = CurrentProcess.effectiveUid() == 0 && slurmUser.uid() != 0;
    @Nullable FileOwner owner = drop ? new FileOwner(slurmUser.uid(), slurmUser.gid()) : null;
    Path state = Path.of(own.stateSaveLocation());
    DirectoryCreator.ensure(state, 0755, owner);
    ClusterSettings.Host host = LocalControllerHost.of(own.hosts());
    PidFile pidFile = PidFile.claim(inItsDirectory(own.pidFile(), owner));
    DaemonLog log = log(options, own, owner);
    String told = config.parsed().config().settings().rules().controllerSyslog();
    log.configure(config.parsed().config().settings());
    LogLevel toSystem = told == null ? null : LogLevel.parse(told);
    if (toSystem != null) {
      log.also(toSystem, SystemLog.open("slurmctld")::write);
    }
    Listener.Sockets sockets = null;
    try {
      if (options.recovery() == SlurmctldOptions.Kept.NOTHING) {
        putAside(state);
      }
      ClusterTrust trust =
          ClusterTrust.open(
              new ClusterTrust.TrustLocations(
                  config.keyFile(),
                  state.resolve("tls"),
                  own.clusterName(),
                  ProcFs.ofThisMachine().shortHostName(),
                  owner),
              slurmUser.uid(),
              Instant.now());
      sockets =
          Listener.Sockets.bind(
              LocatedConfig.socketOf(own.pidFile()),
              LocalControllerHost.listening(own, host),
              own.port());
      if (drop) {
        give(state, new FileOwner(slurmUser.uid(), slurmUser.gid()));
        Privileges.become(slurmUser);
      }
      return new ControllerResources(pidFile, log, sockets, trust, slurmUser.uid(), host);
    } catch (IOException e) {
      if (sockets != null) {
        sockets.close();
      }
      log.close();
      pidFile.close();
      throw e;
    }
  }

  /** Goes on as SlurmUser, if this is root. */
  static void become(CachedUserDatabase users, String name) throws IOException {
    PasswdEntry slurmUser = slurmUser(users, name);
    if (CurrentProcess.effectiveUid() == 0 && slurmUser.uid() != 0) {
      Privileges.become(slurmUser);
    }
  }

  private static PasswdEntry slurmUser(CachedUserDatabase users, String name) throws IOException {
    PasswdEntry account = users.userByName(name);
    if (account != null) {
      return account;
    }
    try {
      PasswdEntry numbered = users.userByUid(Integer.parseUnsignedInt(name));
      if (numbered != null) {
        return numbered;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new IOException(
        "SlurmUser " + name + " is not known on this machine: create it or name another");
  }

  private static Path inItsDirectory(String file, @Nullable FileOwner owner) throws IOException {
    Path path = Path.of(file).toAbsolutePath();
    Path directory = path.getParent();
    if (directory != null) {
      DirectoryCreator.ensure(directory, 0755, owner);
    }
    return path;
  }

  private static DaemonLog log(
      SlurmctldOptions options, ClusterSettings.Controller own, @Nullable FileOwner owner)
      throws IOException {
    String file = options.logFile() != null ? options.logFile() : own.logFile();
    LogLevel configured = LogLevel.parse(own.debugLevel());
    LogLevel level = (configured == null ? LogLevel.INFO : configured).plus(options.verbosity());
    InstantSource clock = InstantSource.system();
    ZoneId zone = ZoneId.systemDefault();
    if (file.isEmpty()) {
      return DaemonLog.toStream(System.err, level, clock, zone);
    }
    Path path = inItsDirectory(file, owner);
    DaemonLog log =
        DaemonLog.toFile(
            path,
            options.foreground() ? System.err : null,
            level,
            clock,
            zone,
            !own.privateData().isEmpty());
    if (owner != null) {
      FileModes.setOwner(path, owner);
    }
    return log;
  }

  /** {@code -c}: the former state is put aside, never deleted. */
  private static void putAside(Path state) throws IOException {
    Path aside = state.resolve("cleared-" + Instant.now().getEpochSecond());
    try (Stream<Path> files = Files.list(state)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        if (name.startsWith("journal-")
            || name.startsWith("snapshot-")
            || name.startsWith("origin-")) {
          Files.createDirectories(aside);
          Files.move(file, aside.resolve(name));
        }
      }
    }
  }

  private static void give(Path directory, FileOwner owner) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        FileModes.setOwner(file, owner);
      }
    }
  }

  /**
   * Lets go of everything; files that SlurmUser may not remove are left, and replaced next time.
   */
  @Override
  public void close() throws IOException {
    sockets.close();
    log.close();
    try {
      pidFile.close();
    } catch (IOException e) {
      // its directory belongs to root; a pid file without its lock counts as none
    }
  }
}
