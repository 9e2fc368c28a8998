package io.dure.controller.slurmdbd;

import io.dure.accounting.AccountingDatabase;
import io.dure.accounting.UnusableDatabaseException;
import io.dure.accounting.store.DatabaseStore;
import io.dure.accounting.tree.AccountsTable;
import io.dure.controller.accounting.ConfiguredServer;
import io.dure.controller.accounting.upkeep.AccountingUpkeep;
import io.dure.controller.accounting.upkeep.BooksConfiguration;
import io.dure.controller.accounting.upkeep.LocalBookKeeping;
import io.dure.host.log.DaemonLog;
import io.dure.host.log.LogLevel;
import io.dure.host.process.PidFile;
import io.dure.host.process.ProcFs;
import io.dure.host.process.ReadinessNotice;
import io.dure.host.signal.DaemonSignal;
import io.dure.host.signal.DaemonSignals;
import io.dure.host.storage.DirectoryCreator;
import io.dure.host.storage.FileModes;
import io.dure.host.storage.FileOwner;
import io.dure.host.trust.ClusterKey;
import io.dure.host.user.CachedUserDatabase;
import io.dure.host.user.CurrentProcess;
import io.dure.host.user.PasswdEntry;
import io.dure.host.user.Privileges;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.model.config.accounting.AccountingServerReader;
import io.dure.model.config.accounting.RetentionSettings;
import io.dure.model.config.accounting.SlurmdbdSettings;
import io.dure.model.config.slurmconf.ConfigReport;
import io.dure.protocol.DureVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Serves the books as slurmdbd.conf says it, until it is told to end. */
final class SlurmdbdDaemon {
  private static final Duration RETRY = Duration.ofSeconds(5);

  private SlurmdbdDaemon() {}

  static AccountingDatabase database(AccountingServerReader.Daemon config) throws IOException {
    AccountingServer server = config.server();
    if (server != null) {
      return AccountingDatabase.on(server);
    }
    Path books = Path.of(config.settings().file());
    Path directory = books.getParent();
    if (directory != null) {
      Files.createDirectories(directory);
    }
    return AccountingDatabase.inFile(books);
  }

  static int serve(Path file, AccountingServerReader.Daemon config, SlurmdbdOptions options)
      throws IOException, InterruptedException {
    SlurmdbdSettings settings = config.settings();
    RetentionSettings retention = ConfiguredServer.retention(file.toString());
    PasswdEntry user = user(settings.user());
    boolean drop = CurrentProcess.effectiveUid() == 0 && user.uid() != 0;
    @Nullable FileOwner owner = drop ? new FileOwner(user.uid(), user.gid()) : null;
    Path pid = Path.of(settings.pidFile()).toAbsolutePath();
    Path directory = pid.getParent();
    if (directory != null) {
      DirectoryCreator.ensure(directory, 0755, owner);
    }
    CountDownLatch end = new CountDownLatch(1);
    try (PidFile _ = PidFile.claim(pid);
        DaemonLog log = log(settings, options, owner)) {
      config.diagnostics().forEach(finding -> log.info(ConfigReport.line(finding)));
      ClusterKey key = key(file.resolveSibling(SlurmdbdSettings.KEY_FILE), user, owner);
      InetAddress address =
          settings.address().isEmpty() ? null : InetAddress.getByName(settings.address());
      ServerSocket port = SlurmdbdServer.bind(address, settings.port());
      if (drop) {
        Privileges.become(user);
      }
      DaemonSignals.listen(signal -> heed(signal, log, end));
      try (AccountingDatabase database = database(config)) {
        DatabaseStore books =
            new DatabaseStore(database, ZoneId.systemDefault(), settings.privateData(), log);
        log.info("accounting database: {}", books.name());
        if (!migrated(books, log, end)) {
          return 0;
        }
        AccountsTable table = new AccountsTable(database);
        SharedAccounts accounts = new SharedAccounts(table);
        try (AccountingUpkeep upkeep = upkeep(database, table, retention, settings, log);
            SlurmdbdServer server =
                new SlurmdbdServer(
                    port,
                    key,
                    new KeptBooks(
                        books,
                        accounts,
                        new LocalBookKeeping(
                            upkeep,
                            BooksConfiguration.ofDaemon(file, config, retention, Instant.now()),
                            accounts::administered),
                        new UsedWckeys(settings.tracksWckeys(), accounts, books, log)),
                    InstantSource.system(),
                    log)) {
          server.start();
          log.info("slurmdbd {} serves at port {}", DureVersion.LINE, settings.port());
          ready(options, log);
          end.await();
        }
      }
      log.info("slurmdbd stopped");
    }
    return 0;
  }

  private static void ready(SlurmdbdOptions options, DaemonLog log) {
    if (System.getenv("DURE_READY") != null) {
      System.out.println("ready");
      System.out.flush();
    }
    if (options.systemd()) {
      ReadinessNotice.send(System.getenv(), log);
    }
  }

  private static void heed(DaemonSignal signal, DaemonLog log, CountDownLatch end) {
    try {
      switch (signal) {
        case STOP -> end.countDown();
        case RECONFIGURE, REOPEN_LOG -> log.reopen();
      }
    } catch (IOException e) {
      log.error("cannot reopen the log file, still writing to the old one: " + e.getMessage());
    }
  }

  /** Waits for the database; false if the daemon is to end before. */
  private static boolean migrated(DatabaseStore books, DaemonLog log, CountDownLatch end)
      throws IOException, InterruptedException {
    boolean told = false;
    while (true) {
      try {
        books.migrate();
        return true;
      } catch (IOException e) {
        if (e.getCause() instanceof UnusableDatabaseException unusable && unusable.isForGood()) {
          log.error("accounting database ({}): {}", books.name(), e.getMessage());
          throw e;
        }
        if (!told) {
          log.error(
              "accounting database ({}): {}; tried again until it answers",
              books.name(),
              e.getMessage());
        }
        told = true;
      }
      if (end.await(RETRY.toMillis(), TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
  }

  private static PasswdEntry user(String name) throws IOException {
    CachedUserDatabase users = CachedUserDatabase.ofThisMachine();
    PasswdEntry found = users.userByName(name);
    if (found == null && name.matches("[0-9]{1,10}")) {
      found = users.userByUid(Integer.parseUnsignedInt(name));
    }
    if (found == null) {
      throw new IOException(
          "SlurmUser " + name + " is not known on this machine: create it or name another");
    }
    return found;
  }

  private static DaemonLog log(
      SlurmdbdSettings settings, SlurmdbdOptions options, @Nullable FileOwner owner)
      throws IOException {
    LogLevel configured = LogLevel.parse(settings.debugLevel());
    LogLevel level = (configured == null ? LogLevel.INFO : configured).plus(options.verbosity());
    InstantSource clock = InstantSource.system();
    if (settings.logFile().isEmpty()) {
      return DaemonLog.toStream(System.err, level, clock, ZoneId.systemDefault());
    }
    Path path = Path.of(settings.logFile()).toAbsolutePath();
    Path directory = path.getParent();
    if (directory != null) {
      DirectoryCreator.ensure(directory, 0755, owner);
    }
    DaemonLog log =
        DaemonLog.toFile(
            path,
            options.foreground() ? System.err : null,
            level,
            clock,
            ZoneId.systemDefault(),
            true);
    if (owner != null) {
      FileModes.setOwner(path, owner);
    }
    return log;
  }

  private static AccountingUpkeep upkeep(
      AccountingDatabase database,
      AccountsTable table,
      RetentionSettings retention,
      SlurmdbdSettings settings,
      DaemonLog log)
      throws IOException {
    boolean purges = !isBackup(settings);
    return new AccountingUpkeep(
        database, table::recorded, retention, () -> purges, InstantSource.system(), log);
  }

  /** Whether this machine is that of DbdBackupHost alone; DbdHost takes out what is old. */
  private static boolean isBackup(SlurmdbdSettings settings) throws IOException {
    String here = ProcFs.ofThisMachine().shortHostName();
    return settings.hosts().size() > 1
        && isNamed(settings.hosts().get(1), here)
        && !isNamed(settings.hosts().getFirst(), here);
  }

  private static boolean isNamed(String host, String shortName) {
    return host.equals(shortName) || host.startsWith(shortName + ".");
  }

  /** The key of this daemon, which controllers need; made at the first start. */
  private static ClusterKey key(Path file, PasswdEntry user, @Nullable FileOwner owner)
      throws IOException {
    if (!Files.exists(file)) {
      // There is no authority: a token vouches for the daemon's certificate.
      ClusterKey.generate(new SecureRandom(), "0".repeat(64)).create(file, owner);
    }
    return ClusterKey.load(file, user.uid());
  }
}
