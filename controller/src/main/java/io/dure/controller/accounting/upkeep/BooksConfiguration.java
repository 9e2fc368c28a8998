package io.dure.controller.accounting.upkeep;

import io.dure.model.config.AccountingStorage;
import io.dure.model.config.ClusterConfig;
import io.dure.model.config.ClusterSettings;
import io.dure.model.config.accounting.AccountingServer;
import io.dure.model.config.accounting.AccountingServerReader;
import io.dure.model.config.accounting.RecordKind;
import io.dure.model.config.accounting.RetentionAge;
import io.dure.model.config.accounting.RetentionSettings;
import io.dure.model.config.accounting.SlurmdbdSettings;
import io.dure.protocol.DureVersion;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the keeper of the accounting records follows, in the lines in which slurmdbd tells it. */
public final class BooksConfiguration {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT);
  private static final String NOTHING = "(null)";

  private BooksConfiguration() {}

  /**
   * Those of a controller that does slurmdbd's part, by key.
   *
   * @param server null where the records are embedded
   * @param file of the records where they are
   */
  public static List<String> ofController(
      ClusterConfig config,
      @Nullable AccountingServer server,
      Path file,
      RetentionSettings retention,
      Instant begun) {
    ClusterSettings.Controller controller = config.settings().controller();
    Map<String, String> all = common(retention, begun);
    all.put("DbdAddr", controller.hosts().getFirst().address());
    all.put("DbdHost", controller.hosts().getFirst().name());
    all.put("DbdPort", Integer.toString(controller.port()));
    all.put("DebugLevel", controller.debugLevel());
    all.put("LogFile", orNothing(controller.logFile()));
    all.put("PidFile", controller.pidFile());
    all.put("PrivateData", words(controller.privateData()));
    all.put("SLURMDBD_CONF", AccountingServerReader.beside(config.path()));
    all.put("SlurmUser", controller.user());
    storage(all, server, file.toString());
    boolean tracked = config.settings().priority().enforced().keys() != null;
    all.put("TrackWCKey", tracked ? "Yes" : "No");
    return lines(all);
  }

  /**
   * Those of slurmdbd, by key.
   *
   * @param conf its slurmdbd.conf
   */
  public static List<String> ofDaemon(
      Path conf, AccountingServerReader.Daemon config, RetentionSettings retention, Instant begun) {
    SlurmdbdSettings settings = config.settings();
    Map<String, String> all = common(retention, begun);
    String host = settings.hosts().getFirst();
    all.put("DbdAddr", settings.address().isEmpty() ? host : settings.address());
    all.put("DbdBackupHost", settings.hosts().size() > 1 ? settings.hosts().get(1) : NOTHING);
    all.put("DbdHost", host);
    all.put("DbdPort", Integer.toString(settings.port()));
    all.put("DebugLevel", settings.debugLevel());
    all.put("LogFile", orNothing(settings.logFile()));
    all.put("PidFile", settings.pidFile());
    all.put("PrivateData", words(settings.privateData()));
    all.put("SLURMDBD_CONF", conf.toString());
    all.put("SlurmUser", settings.user());
    storage(all, config.server(), settings.file());
    all.put("TrackWCKey", settings.tracksWckeys() ? "Yes" : "No");
    return lines(all);
  }

  private static Map<String, String> common(RetentionSettings retention, Instant begun) {
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.put("AllowNoDefAcct", "No");
    all.put("ArchiveDir", retention.directory());
    all.put("ArchiveScript", Objects.requireNonNullElse(retention.script(), NOTHING));
    for (RecordKind kind : RecordKind.values()) {
      RetentionSettings.Rule rule = retention.rules().get(kind);
      all.put(kind.archiveKey(), rule != null && rule.archived() ? "Yes" : "No");
      all.put(kind.purgeKey(), rule == null ? "NONE" : age(rule));
    }
    all.put("BOOT_TIME", TIME.format(begun.atZone(ZoneId.systemDefault())));
    all.put("SLURMDBD_VERSION", DureVersion.SLURM);
    return all;
  }

  private static List<String> lines(Map<String, String> all) {
    List<String> lines = new ArrayList<>();
    all.forEach((key, value) -> lines.add(String.format(Locale.ROOT, "%-22s = %s", key, value)));
    return lines;
  }

  private static String orNothing(String text) {
    return text.isEmpty() ? NOTHING : text;
  }

  private static String words(List<String> words) {
    return words.isEmpty() ? "none" : String.join(",", words);
  }

  private static void storage(
      Map<String, String> all, @Nullable AccountingServer server, String file) {
    all.put("StorageBackupHost", NOTHING);
    if (server == null) {
      all.put("StorageHost", "localhost");
      all.put("StorageLoc", file);
      all.put("StoragePort", "0");
      all.put("StorageType", "accounting_storage/embedded");
      all.put("StorageUser", NOTHING);
      return;
    }
    boolean maria = server.storage() == AccountingStorage.MARIADB;
    if (server.hosts().size() > 1) {
      all.put("StorageBackupHost", server.hosts().getLast());
    }
    all.put("StorageHost", server.hosts().getFirst());
    all.put("StorageLoc", server.database());
    all.put("StoragePort", Integer.toString(server.port()));
    all.put("StorageType", "accounting_storage/" + (maria ? "mysql" : "postgresql"));
    all.put("StorageUser", server.login().user());
  }

  /** {@code 12 months*}, the star where what is purged is archived. */
  private static String age(RetentionSettings.Rule rule) {
    RetentionAge after = rule.after();
    String unit = after.unit().name().toLowerCase(Locale.ROOT);
    return after.count() + " " + unit + (rule.archived() ? "*" : "");
  }
}
