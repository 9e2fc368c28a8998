package io.dure.controller.accounting;

import io.dure.host.config.LocalConfigSource;
import io.dure.model.config.AccountingStorage;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.model.config.accounting.AccountingServerReader;
import io.dure.model.config.accounting.BookPrivacyReader;
import io.dure.model.config.accounting.RetentionReader;
import io.dure.model.config.accounting.RetentionSettings;
import io.dure.model.config.slurmconf.ConfigReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The database server that slurm.conf and slurmdbd.conf beside it name. Read where it is connected
 * to, as the settings in the cluster's state hold no password.
 */
public final class ConfiguredServer {
  private static final Set<PosixFilePermission> OF_OTHERS =
      EnumSet.complementOf(
          EnumSet.of(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE));

  private ConfiguredServer() {}

  /**
   * The server, null where the records are embedded.
   *
   * @throws IOException if the files cannot be followed; the message says what to do
   */
  static @Nullable AccountingServer find(ClusterConfig config, Logger log) throws IOException {
    AccountingStorage chosen = config.settings().controller().accountingStorage();
    Path file = Path.of(AccountingServerReader.beside(config.path()));
    boolean asked = chosen != AccountingStorage.NONE && chosen != AccountingStorage.EMBEDDED;
    if (asked && Files.exists(file)) {
      check(file);
    } else if (chosen == AccountingStorage.AS_SLURMDBD_CONF_SAYS
        && config.values().containsKey("AccountingStorageType")) {
      log.info("there is no {}: the accounting records are embedded", file);
    }
    AccountingServerReader.Found found =
        AccountingServerReader.read(config.path(), chosen, new LocalConfigSource());
    if (!found.errors().isEmpty()) {
      throw new IOException(
          found.errors().stream().map(ConfigReport::line).collect(Collectors.joining("\n")));
    }
    found.diagnostics().forEach(finding -> log.info(ConfigReport.line(finding)));
    return found.server();
  }

  /**
   * For how long which records are kept.
   *
   * @param file slurmdbd.conf, which need not be there
   * @throws IOException if it cannot be followed; the message says what to do
   */
  public static RetentionSettings retention(String file) throws IOException {
    RetentionReader.Found found = RetentionReader.read(file, new LocalConfigSource());
    if (!found.diagnostics().isEmpty()) {
      throw new IOException(
          found.diagnostics().stream().map(ConfigReport::line).collect(Collectors.joining("\n")));
    }
    return found.settings();
  }

  /**
   * What of the books is hidden from others.
   *
   * @throws IOException if slurmdbd.conf cannot be followed; the message says what to do
   */
  static List<String> privateData(ClusterConfig config) throws IOException {
    BookPrivacyReader.Found found =
        BookPrivacyReader.read(
            AccountingServerReader.beside(config.path()), new LocalConfigSource());
    if (!found.diagnostics().isEmpty()) {
      throw new IOException(
          found.diagnostics().stream().map(ConfigReport::line).collect(Collectors.joining("\n")));
    }
    return found.words();
  }

  /**
   * Checks that nobody but its owner has access to the file with the password.
   *
   * @throws IOException if others have; the message says what to do
   */
  public static void check(Path file) throws IOException {
    Set<PosixFilePermission> open = Files.getPosixFilePermissions(file);
    open.retainAll(OF_OTHERS);
    if (!open.isEmpty()) {
      throw new IOException(
          file
              + ": others than its owner have access ("
              + open.stream()
                  .map(one -> one.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                  .sorted()
                  .collect(Collectors.joining(", "))
              + "), and it has the password of the database. Do: chmod 600 "
              + file);
    }
    if (!Files.isReadable(file)) {
      throw new IOException(
          file
              + ": cannot be read by "
              + System.getProperty("user.name")
              + ". Make SlurmUser its owner, or write"
              + " AccountingStorageType=accounting_storage/embedded in slurm.conf");
    }
  }
}
