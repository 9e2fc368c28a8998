package io.dure.controller.accounting;

import io.dure.accounting.AccountingDatabase;
import io.dure.host.config.LocalConfigSource;
import io.dure.model.config.AccountingStorage;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.model.config.accounting.AccountingServerReader;
import io.dure.model.config.slurmconf.ConfigReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.helpers.NOPLogger;

/** Compares books, records and journal of a controller, as its configuration names them. */
public final class AccountsAudit {
  private static final int MOST_LINES = 100;
  private static final Logger SILENT = NOPLogger.NOP_LOGGER;

  private AccountsAudit() {}

  /**
   * What came of it.
   *
   * @param lines for people
   */
  public record Report(boolean agrees, List<String> lines) {}

  /**
   * Compares, as the owner of the files.
   *
   * @throws IOException if something cannot be read; the message says what
   */
  public static Report of(ClusterConfig config) throws IOException {
    ClusterSettings.Controller settings = config.settings().controller();
    requireBooks(settings);
    Path state = Path.of(settings.stateSaveLocation());
    Path log = state.resolve(ClusterAccounting.DIRECTORY);
    if (!Files.isDirectory(log)) {
      throw new IOException(log + ": there are no records; has slurmctld been started here?");
    }
    Path scratch = Files.createTempDirectory("accounting-check");
    List<String> lines = new ArrayList<>();
    try (AccountingDatabase books = books(config, embedded(settings))) {
      BooksCheck.Result found = BooksCheck.compare(books, settings.clusterName(), log, scratch);
      boolean agrees = found.differences().isEmpty();
      lines.add(
          "books (%s) and records, events %s to %s: %s agreed of %s jobs' attempts and steps"
              .formatted(
                  books.name(),
                  found.begins() + 1,
                  found.position(),
                  found.agreed(),
                  found.compared()));
      tell(found.differences(), lines);
      if (settings.hosts().size() > 1) {
        lines.add("records and journal: not compared, as several controllers keep it together");
        return new Report(agrees, lines);
      }
      JournalCheck.Result journal = JournalCheck.compare(state, config, log);
      lines.add(
          journal.unreadable() != null
              ? "records and journal: " + journal.unreadable()
              : "records and journal: %s agreed of %s records, %s not recorded yet"
                  .formatted(journal.agreed(), journal.compared(), journal.waiting()));
      tell(journal.differences(), lines);
      return new Report(
          agrees && journal.unreadable() == null && journal.differences().isEmpty(), lines);
    } finally {
      remove(scratch);
    }
  }

  /**
   * What the next start of the daemon that writes the database would change of its schema.
   *
   * @throws IOException if there is none; the message says why
   */
  public static List<String> pendingMigrations(ClusterConfig config) throws IOException {
    ClusterSettings.Controller settings = config.settings().controller();
    requireBooks(settings);
    try (AccountingDatabase books = books(config, embedded(settings))) {
      return books.rehearsal();
    }
  }

  private static void requireBooks(ClusterSettings.Controller settings) throws IOException {
    if (settings.accountingStorage() == AccountingStorage.NONE) {
      throw new IOException("AccountingStorageType is accounting_storage/none: there are no books");
    }
  }

  private static Path embedded(ClusterSettings.Controller settings) {
    return Path.of(settings.stateSaveLocation())
        .resolve(ClusterAccounting.DIRECTORY)
        .resolve(ClusterAccounting.FILE);
  }

  /** The database, which is slurmdbd's where the controller has one. */
  private static AccountingDatabase books(ClusterConfig config, Path embedded) throws IOException {
    AccountingServer server;
    Path file;
    if (ConfiguredDaemon.isChosen(config)) {
      Path conf = Path.of(AccountingServerReader.beside(config.path()));
      if (!Files.exists(conf)) {
        throw new IOException(
            conf
                + ": there is no such file, and the books are slurmdbd's. Copy its slurmdbd.conf"
                + " here for the check; an embedded database is looked for on this machine");
      }
      ConfiguredServer.check(conf);
      AccountingServerReader.Daemon daemon =
          AccountingServerReader.daemon(conf.toString(), new LocalConfigSource());
      if (daemon.hasErrors()) {
        throw new IOException(
            daemon.diagnostics().stream()
                .map(ConfigReport::line)
                .collect(Collectors.joining("\n")));
      }
      server = daemon.server();
      file = Path.of(daemon.settings().file());
    } else {
      server = ConfiguredServer.find(config, SILENT);
      file = embedded;
    }
    if (server != null) {
      return AccountingDatabase.on(server);
    }
    if (!Files.exists(file)) {
      throw new IOException(file + ": there is no such file, and so there are no books");
    }
    return AccountingDatabase.inFile(file);
  }

  private static void tell(List<String> differences, List<String> lines) {
    differences.stream().limit(MOST_LINES).forEach(line -> lines.add("  " + line));
    if (differences.size() > MOST_LINES) {
      lines.add("  and " + (differences.size() - MOST_LINES) + " more");
    }
  }

  private static void remove(Path scratch) throws IOException {
    try (Stream<Path> files = Files.list(scratch)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(scratch);
  }
}
