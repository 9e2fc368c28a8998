package io.dure.controller;

import io.dure.controller.server.Listener;
import io.dure.core.config.Settings;
import io.dure.host.config.LocatedConfig;
import io.dure.host.log.Log;
import io.dure.host.log.LogLevel;
import io.dure.host.process.PidFile;
import io.dure.host.process.ProcFs;
import io.dure.host.storage.Directories;
import io.dure.host.storage.Modes;
import io.dure.host.storage.Owner;
import io.dure.host.trust.ClusterTrust;
import io.dure.host.user.Account;
import io.dure.host.user.OwnProcess;
import io.dure.host.user.Privileges;
import io.dure.host.user.Users;
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
    Log log,
    Listener.Sockets sockets,
    ClusterTrust trust,
    int slurmUid,
    Settings.Host host)
    implements Closeable {

  /**
   * Lays it.
   *
   * @throws IOException if something cannot be had; the message names it and the remedy
   * @throws PidFile.AlreadyRunningException if another controller has the pid file
   */
  static ControllerResources lay(LocatedConfig config, Options options, Users users)
      throws IOException {
    Settings.Controller own = config.parsed().config().settings().controller();
    Account slurmUser = slurmUser(users, own.user());
    boolean drop = OwnProcess.effectiveUid() == 0 && slurmUser.uid() != 0;
    @Nullable Owner owner = drop ? new Owner(slurmUser.uid(), slurmUser.gid()) : null;
    Path state = Path.of(own.stateSaveLocation());
    Directories.ensure(state, 0755, owner);
    Settings.Host host = OwnHost.of(own.hosts());
    PidFile pidFile = PidFile.claim(inItsDirectory(own.pidFile(), owner));
    Log log = log(options, own, owner);
    Listener.Sockets sockets = null;
    try {
      if (options.recovery() == Options.Kept.NOTHING) {
        putAside(state);
      }
      ClusterTrust trust =
          ClusterTrust.open(
              new ClusterTrust.Place(
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
              OwnHost.listening(own.hosts(), host),
              own.port());
      if (drop) {
        give(state, new Owner(slurmUser.uid(), slurmUser.gid()));
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

  private static Account slurmUser(Users users, String name) throws IOException {
    Account account = users.userByName(name);
    if (account != null) {
      return account;
    }
    try {
      Account numbered = users.userByUid(Integer.parseUnsignedInt(name));
      if (numbered != null) {
        return numbered;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new IOException(
        "SlurmUser " + name + " is not known on this machine: create it or name another");
  }

  private static Path inItsDirectory(String file, @Nullable Owner owner) throws IOException {
    Path path = Path.of(file).toAbsolutePath();
    Path directory = path.getParent();
    if (directory != null) {
      Directories.ensure(directory, 0755, owner);
    }
    return path;
  }

  private static Log log(Options options, Settings.Controller own, @Nullable Owner owner)
      throws IOException {
    String file = options.logFile() != null ? options.logFile() : own.logFile();
    LogLevel configured = LogLevel.parse(own.debugLevel());
    LogLevel level = (configured == null ? LogLevel.INFO : configured).plus(options.verbosity());
    InstantSource clock = InstantSource.system();
    ZoneId zone = ZoneId.systemDefault();
    if (file.isEmpty()) {
      return Log.toStream(System.err, level, clock, zone);
    }
    Path path = inItsDirectory(file, owner);
    Log log = Log.toFile(path, options.foreground() ? System.err : null, level, clock, zone);
    if (owner != null) {
      Modes.setOwner(path, owner);
    }
    return log;
  }

  /** {@code -c}: the former state is put aside, never deleted. */
  private static void putAside(Path state) throws IOException {
    Path aside = state.resolve("cleared-" + Instant.now().getEpochSecond());
    try (Stream<Path> files = Files.list(state)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        if (name.startsWith("journal-") || name.startsWith("snapshot-")) {
          Files.createDirectories(aside);
          Files.move(file, aside.resolve(name));
        }
      }
    }
  }

  private static void give(Path directory, Owner owner) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.toList()) {
        Modes.setOwner(file, owner);
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
