package io.dure.controller.accounting;

import io.dure.accounting.AccountingDatabase;
import io.dure.model.config.AccountingStorage;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.accounting.AccountingServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    if (settings.accountingStorage() == AccountingStorage.NONE) {
      throw new IOException("AccountingStorageType is accounting_storage/none: there are no books");
    }
    AccountingServer server = ConfiguredServer.find(config, SILENT);
    Path state = Path.of(settings.stateSaveLocation());
    Path log = state.resolve(ClusterAccounting.DIRECTORY);
    Path file = log.resolve(ClusterAccounting.FILE);
    if (!Files.isDirectory(log) || server == null && !Files.exists(file)) {
      throw new IOException(log + ": there are no records; has slurmctld been started here?");
    }
    Path scratch = Files.createTempDirectory("accounting-check");
    List<String> lines = new ArrayList<>();
    try (AccountingDatabase books =
        server == null ? AccountingDatabase.inFile(file) : AccountingDatabase.on(server)) {
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
