package io.dure.model.config.accounting;

import io.dure.model.config.AccountingStorage;
import io.dure.model.config.gres.GresConfFindings;
import io.dure.model.config.slurmconf.ConfigDiagnostic;
import io.dure.model.config.slurmconf.ConfigSource;
import io.dure.model.config.slurmconf.SettingTable;
import io.dure.model.config.slurmconf.SlurmConfParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads which database server keeps the records of what ran, from slurm.conf and slurmdbd.conf
 * beside it. Apart from the settings, which are kept and shown, as there is a password.
 *
 * @see <a href="https://slurm.schedmd.com/slurmdbd.conf.html">slurmdbd.conf(5)</a>
 */
public final class AccountingServerReader {
  /** The file beside slurm.conf. */
  public static final String FILE = "slurmdbd.conf";

  private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_.:%-]+");
  private static final Pattern DATABASE = Pattern.compile("[A-Za-z0-9_$-]{1,63}");
  private static final Pattern YES = Pattern.compile("(?i)yes|up|true|1");
  private static final String FROM_SLURM_CONF = "Accounting";

  /** What is read here. */
  private static final List<String> ACTED_ON =
      List.of(
          "StorageBackupHost",
          "StorageHost",
          "StorageLoc",
          "StorageParameters",
          "StoragePass",
          "StoragePort",
          "StorageType",
          "StorageUser");

  /** What a site counts on, and does not get yet. */
  private static final List<String> WITHOUT_EFFECT =
      List.of(
          "AllowNoDefAcct",
          "AllResourcesAbsolute",
          "DefaultQOS",
          "DisableCoordDBD",
          "MaxQueryTimeRange",
          "PreserveCaseUser",
          "StoragePassScript");

  /** What says how a daemon of its own runs. */
  private static final List<String> READ_BY_THE_DAEMON =
      List.of(
          "DbdAddr",
          "DbdBackupHost",
          "DbdHost",
          "DbdPort",
          "DebugLevel",
          "LogFile",
          "PidFile",
          "SlurmUser",
          "TrackWCKey");

  /** What else says how it runs, or has its like in slurm.conf. */
  private static final List<String> OF_THE_DAEMON =
      List.of(
          "AuthAltParameters",
          "AuthAltTypes",
          "AuthInfo",
          "AuthType",
          "CommitDelay",
          "CommunicationParameters",
          "DebugFlags",
          "DebugLevelSyslog",
          "HashPlugin",
          "LogTimeFormat",
          "MessageTimeout",
          "Parameters",
          "PluginDir",
          "TCPTimeout",
          "TLSParameters",
          "TLSType",
          "TrackSlurmctldDown");

  private final GresConfFindings findings;
  private final Map<String, Value> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final Map<String, String> daemon = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

  private record Value(String text, String file, int line) {}

  /**
   * What slurmdbd.conf says to slurmdbd itself.
   *
   * @param server null where the books are in a file, or an error says why it cannot be told
   * @param diagnostics what is to be said of the file
   */
  public record Daemon(
      @Nullable AccountingServer server,
      SlurmdbdSettings settings,
      List<ConfigDiagnostic> diagnostics) {
    public Daemon {
      diagnostics = List.copyOf(diagnostics);
    }

    /** Whether it refuses to start. */
    public boolean hasErrors() {
      return diagnostics.stream().anyMatch(AccountingServerReader::isError);
    }
  }

  /**
   * What the files say.
   *
   * @param server null where the records are embedded, or an error says why it cannot be told
   * @param diagnostics what is to be said of the files; nothing that slurm.conf is told of
   *     elsewhere
   */
  public record Found(@Nullable AccountingServer server, List<ConfigDiagnostic> diagnostics) {
    public Found {
      diagnostics = List.copyOf(diagnostics);
    }

    /** Those for which a daemon refuses to start. */
    public List<ConfigDiagnostic> errors() {
      return diagnostics.stream().filter(AccountingServerReader::isError).toList();
    }
  }

  private AccountingServerReader(GresConfFindings findings) {
    this.findings = findings;
  }

  /** The path of slurmdbd.conf beside a slurm.conf. */
  public static String beside(String slurmConf) {
    return slurmConf.substring(0, slurmConf.lastIndexOf('/') + 1) + FILE;
  }

  /** Reads the files; slurmdbd.conf is not there where the source has no text for it. */
  public static Found read(String slurmConf, AccountingStorage chosen, ConfigSource source) {
    if (chosen == AccountingStorage.NONE || chosen == AccountingStorage.EMBEDDED) {
      return new Found(null, List.of());
    }
    List<@Nullable AccountingServer> server = new ArrayList<>();
    List<ConfigDiagnostic> all = new ArrayList<>();
    List<ConfigDiagnostic> own =
        SlurmConfParser.findings(findings ->
            server.add(
                new AccountingServerReader(findings).server(slurmConf, chosen, source, all)));
    all.addAll(own);
    return new Found(
        all.stream().anyMatch(AccountingServerReader::isError) ? null : server.getFirst(), all);
  }

  /** Reads slurmdbd.conf for slurmdbd itself. */
  public static Daemon daemon(String file, ConfigSource source) {
    List<Daemon> found = new ArrayList<>();
    List<ConfigDiagnostic> all = new ArrayList<>();
    List<ConfigDiagnostic> own =
        SlurmConfParser.findings(findings -> {
          AccountingServerReader reader = new AccountingServerReader(findings);
          all.addAll(reader.lines(file, source));
          String books = reader.bookFile();
          AccountingServer server =
              books.isEmpty() ? reader.server(reader.typed(file), file) : null;
          List<String> hidden = BookPrivacyReader.read(file, source).words();
          found.add(new Daemon(server, reader.settings(file, books, hidden), List.of()));
        });
    all.addAll(own);
    all.addAll(BookPrivacyReader.read(file, source).diagnostics());
    Daemon read = found.getFirst();
    return new Daemon(read.server(), read.settings(), all);
  }

  /** The file of the books, empty where they are in a server. */
  private String bookFile() {
    Value type = values.get("StorageType");
    if (type == null || AccountingStorage.of(type.text()) != AccountingStorage.EMBEDDED) {
      return "";
    }
    String path = text("StorageLoc", "");
    if (!path.startsWith("/")) {
      String remedy = "Write StorageLoc=/PATH/accounting.db";
      error(type, "StorageLoc", "value (" + path + ") is no path of a file", remedy);
    }
    return path;
  }

  private SlurmdbdSettings settings(String file, String books, List<String> hidden) {
    List<String> hosts = new ArrayList<>();
    hosts.add(daemon.getOrDefault("DbdHost", "localhost"));
    String backup = daemon.getOrDefault("DbdBackupHost", "");
    if (!backup.isEmpty()) {
      hosts.add(backup);
    }
    String text = daemon.getOrDefault("DbdPort", Integer.toString(SlurmdbdSettings.PORT));
    int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
    if (port < 1 || port > 65_535) {
      Value value = new Value(text, file, 0);
      error(value, "DbdPort", "value (" + text + ") is no port", "Write a number to 65535");
    }
    return new SlurmdbdSettings(
        List.copyOf(hosts),
        daemon.getOrDefault("DbdAddr", ""),
        port,
        daemon.getOrDefault("SlurmUser", "root"),
        daemon.getOrDefault("LogFile", ""),
        daemon.getOrDefault("PidFile", "/var/run/slurmdbd.pid"),
        daemon.getOrDefault("DebugLevel", "info"),
        books,
        hidden,
        YES.matcher(daemon.getOrDefault("TrackWCKey", "no")).matches());
  }

  private static boolean isError(ConfigDiagnostic finding) {
    return finding.severity() == ConfigDiagnostic.Severity.ERROR;
  }

  private @Nullable AccountingServer server(
      String slurmConf,
      AccountingStorage chosen,
      ConfigSource source,
      List<ConfigDiagnostic> form) {
    String file = beside(slurmConf);
    boolean there = source.read(file) != null;
    if (there) {
      form.addAll(lines(file, source));
    }
    if (chosen == AccountingStorage.AS_SLURMDBD_CONF_SAYS) {
      // What slurm.conf says of a host then is where slurmdbd itself would run.
      return there ? server(typed(file), file) : null;
    }
    // The parser of slurm.conf has told what is wrong with its lines.
    var _ =
        SlurmConfParser.lines(
            slurmConf,
            source,
            (from, line, words) ->
                words.forEach(
                    word -> takeOwn(word.getKey(), new Value(word.getValue(), from, line))));
    return server(chosen, slurmConf);
  }

  private List<ConfigDiagnostic> lines(String file, ConfigSource source) {
    return SlurmConfParser.lines(
        file,
        source,
        (from, line, words) ->
            words.forEach(word -> take(word.getKey(), new Value(word.getValue(), from, line))));
  }

  private void take(String key, Value value) {
    if (has(ACTED_ON, key)) {
      values.put(key, value);
    } else if (has(READ_BY_THE_DAEMON, key)) {
      daemon.put(key, value.text());
    } else if (has(WITHOUT_EFFECT, key)) {
      findings.noEffect(value.file(), value.line(), key, "read, and not acted on");
    } else if (!has(OF_THE_DAEMON, key)
        && !RetentionReader.reads(key)
        && !BookPrivacyReader.reads(key)) {
      List<String> all = new ArrayList<>(ACTED_ON);
      all.addAll(WITHOUT_EFFECT);
      all.addAll(READ_BY_THE_DAEMON);
      all.addAll(OF_THE_DAEMON);
      String nearest = SettingTable.nearest(all, key);
      String remedy = nearest == null ? "Remove it" : "Did you mean " + nearest + "?";
      error(value, key, "Parsing error at unrecognized key: " + key, remedy);
    }
  }

  /** What slurm.conf says comes before what slurmdbd.conf says; its parameters are other ones. */
  private void takeOwn(String key, Value value) {
    String storage =
        key.regionMatches(true, 0, FROM_SLURM_CONF, 0, FROM_SLURM_CONF.length())
            ? key.substring(FROM_SLURM_CONF.length())
            : "";
    if (has(ACTED_ON, storage)
        && !storage.equalsIgnoreCase("StorageParameters")
        && !value.text().isEmpty()) {
      values.put(storage, value);
    }
  }

  private void error(Value value, String key, String message, String remedy) {
    findings.error(value.file(), value.line(), key, message, remedy);
  }

  private static boolean has(List<String> keys, String key) {
    return keys.stream().anyMatch(key::equalsIgnoreCase);
  }

  private @Nullable AccountingStorage typed(String file) {
    Value type = values.get("StorageType");
    AccountingStorage storage = type == null ? null : AccountingStorage.of(type.text());
    if (storage == AccountingStorage.MARIADB || storage == AccountingStorage.POSTGRESQL) {
      return storage;
    }
    error(
        type == null ? new Value("", file, 0) : type,
        "StorageType",
        type == null ? "not set" : "value (" + type.text() + ") is no server",
        "Write accounting_storage/mysql or accounting_storage/postgresql, or"
            + " AccountingStorageType=accounting_storage/embedded in slurm.conf");
    return null;
  }

  private @Nullable AccountingServer server(@Nullable AccountingStorage storage, String file) {
    if (storage == null) {
      return null;
    }
    String remedy = "Write a host name or an address";
    List<String> hosts = new ArrayList<>();
    hosts.add(checked("StorageHost", "localhost", HOST, remedy));
    if (!text("StorageBackupHost", "").isEmpty()) {
      hosts.add(checked("StorageBackupHost", "", HOST, remedy));
    }
    String database =
        checked("StorageLoc", "slurm_acct_db", DATABASE, "Write letters, digits, _, - and $");
    AccountingServer.Login login =
        new AccountingServer.Login(text("StorageUser", "slurm"), text("StoragePass", ""));
    return new AccountingServer(
        storage, hosts, port(storage, file), database, login, parameters(storage));
  }

  private String text(String key, String usual) {
    Value value = values.get(key);
    return value == null || value.text().isEmpty() ? usual : value.text();
  }

  private String checked(String key, String usual, Pattern form, String remedy) {
    String text = text(key, usual);
    Value value = values.get(key);
    if (value != null && !form.matcher(text).matches()) {
      error(value, key, "value (" + text + ") is none", remedy);
    }
    return text;
  }

  private int port(AccountingStorage storage, String file) {
    String text = text("StoragePort", "0");
    int port = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : Integer.MAX_VALUE;
    if (port > 65_535) {
      Value value = values.getOrDefault("StoragePort", new Value("", file, 0));
      error(value, "StoragePort", "value (" + text + ") is no port", "Write a number to 65535");
    }
    int usual = storage == AccountingStorage.MARIADB ? 3306 : 5432;
    return port == 0 ? usual : port;
  }

  private Map<String, String> parameters(AccountingStorage storage) {
    Map<String, String> parameters = new TreeMap<>();
    Value value = values.get("StorageParameters");
    if (value == null) {
      return parameters;
    }
    List<String> known =
        storage == AccountingStorage.MARIADB
            ? List.of(AccountingServer.CA)
            : List.of(AccountingServer.CA, AccountingServer.CERTIFICATE, AccountingServer.KEY);
    for (String one : value.text().split(",", -1)) {
      int equals = one.indexOf('=');
      String name = (equals < 0 ? one : one.substring(0, equals)).strip().toUpperCase(Locale.ROOT);
      if (known.contains(name) && equals > 0) {
        parameters.put(name, one.substring(equals + 1).strip());
      } else if (!one.isBlank()) {
        String remedy = "Write some of " + String.join(", ", known) + ", each with =FILE";
        error(value, "StorageParameters", "parameter " + one + " is not there", remedy);
      }
    }
    if (!parameters.isEmpty() && !parameters.containsKey(AccountingServer.CA)) {
      String message = "without SSL_CA the server's certificate cannot be checked";
      String remedy = "Write SSL_CA=FILE, the certificate of the authority";
      error(value, "StorageParameters", message, remedy);
    }
    return parameters;
  }
}
